import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sql } from 'kysely';
import { makeJob, makeUser } from '../../../shared/testing/make.ts';
import { insertRows } from '../../db/write-rows.ts';
import { openEmbeddedHarness } from '../../testing/embedded-harness.ts';
import type { EmbeddedHarness } from '../../testing/embedded-harness.ts';
import { usualDatabase } from '../../testing/test-db.ts';
import { jpegOf, png, webpOf } from '../../../shared/testing/tiny-pictures.ts';

describe.each(usualDatabase)('uploading on %s', (kind) => {
  let harness: EmbeddedHarness;
  let me: Awaited<ReturnType<EmbeddedHarness['person']>>;
  beforeAll(async () => {
    harness = await openEmbeddedHarness(kind);
    me = await harness.person();
  });
  afterAll(() => harness.close());
  const photos = (client = me.client) => client.storage.from('job-photos');
  const filesOnDisk = async () =>
    (await readdir(join(harness.dataDir, 'storage'), { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    ).length;
  async function bytesAt(key: string) {
    const { data } = await photos().download(key);
    return data && new Uint8Array(await data.arrayBuffer());
  }

  it('takes a Blob and bytes, and gives the same bytes back [§1]', async () => {
    const jpeg = jpegOf(300_000);
    const blob = await photos().upload(`${me.id}/job-1/1.jpg`, new Blob([jpeg], { type: 'image/jpeg' }), {
      cacheControl: '86400',
    });
    expect(blob).toEqual({
      data: { id: expect.any(String), path: `${me.id}/job-1/1.jpg`, fullPath: `job-photos/${me.id}/job-1/1.jpg` },
      error: null,
    });
    const buffer = await photos().upload(`${me.id}/job-1/2.webp`, webpOf(1000).buffer, { contentType: 'image/webp' });
    expect(buffer.error).toBeNull();
    const file = await me.client.storage
      .from('tradie-logos')
      .upload(`${me.id}/logo (1).png`, new File([png], 'ngā-hau.png', { type: 'image/png' }));
    expect(file.error).toBeNull();
    expect(await bytesAt(`${me.id}/job-1/1.jpg`)).toEqual(jpeg);
    expect(await bytesAt(`${me.id}/job-1/2.webp`)).toEqual(webpOf(1000));
    const { data: shown } = me.client.storage.from('tradie-logos').getPublicUrl(`${me.id}/logo (1).png`);
    expect(new Uint8Array(await (await fetch(shown.publicUrl)).arrayBuffer())).toEqual(png);
  });

  it('takes the specification’s plain name, a time and the file’s own, with no folder', async () => {
    const key = '1763700000000-roof (1).jpg';
    const jpeg = jpegOf(1_000);
    expect((await photos().upload(key, new Blob([jpeg], { type: 'image/jpeg' }))).error).toBeNull();
    expect(await bytesAt(key)).toEqual(jpeg);
  });

  it('keeps what is there, unless it may be replaced', async () => {
    const key = `${me.id}/same.png`;
    const first = await photos().upload(key, png, { contentType: 'image/png' });
    const before = await filesOnDisk();
    expect((await photos().upload(key, jpegOf(99), { contentType: 'image/jpeg' })).error).toMatchObject({
      statusCode: '409',
      code: 'KeyAlreadyExists',
      message: 'The resource already exists',
    });
    expect(await bytesAt(key)).toEqual(png);
    const second = await photos().upload(key, jpegOf(99), { contentType: 'image/jpeg', upsert: true });
    expect(second.data?.id).toBe(first.data?.id);
    expect(await bytesAt(key)).toEqual(jpegOf(99));
    expect((await photos().update(key, new Blob([png], { type: 'image/png' }))).error).toBeNull();
    expect((await photos().update(`${me.id}/new.png`, png, { contentType: 'image/png' })).error).toBeNull();
    expect(await bytesAt(key)).toEqual(png);
    expect(await filesOnDisk()).toBe(before + 1);
  });

  it('ends with one whole file when the same key is sent many times at once', async () => {
    const key = `${me.id}/crowd.jpg`;
    const sizes = [1000, 2000, 3000, 4000, 5000];
    const before = await filesOnDisk();
    const answers = await Promise.all(
      sizes.map((size) => photos().upload(key, jpegOf(size), { contentType: 'image/jpeg', upsert: true })),
    );
    expect(answers.map(({ error }) => error)).toEqual(sizes.map(() => null));
    const bytes = await bytesAt(key);
    expect(bytes).toEqual(jpegOf(bytes?.length ?? 0));
    expect(sizes).toContain(bytes?.length);
    expect(await filesOnDisk()).toBe(before + 1);
  });

  it.each([
    ['ENOSPC', 507],
    ['EDQUOT', 507],
    ['EIO', 503],
    ['EMFILE', 503],
  ])('a disk that says %s is answered %i, and nothing is kept', async (code, status) => {
    const before = await filesOnDisk();
    const { files } = harness.storage;
    const receive = vi
      .spyOn(files, 'receive')
      .mockRejectedValue(Object.assign(new Error('said by the test'), { code }));
    const answer = await fetch(`${harness.url}/storage/v1/object/job-photos/full/1.png`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${me.token}`, 'Content-Type': 'image/png' },
      body: png,
    });
    receive.mockRestore();
    harness.errors.length = 0;
    expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([status, true]);
    expect(await answer.json()).toMatchObject({
      statusCode: String(status),
      message: expect.stringContaining('Nothing was kept') as string,
    });
    expect(await filesOnDisk()).toBe(before);
  });

  it('another person cannot write into a folder, replace a file, or remove one', async () => {
    const { id: otherId, client: other } = await harness.person();
    const denied = { statusCode: '403', code: 'AccessDenied', message: 'new row violates row-level security policy' };
    const put = (client: typeof other, key: string) =>
      photos(client).upload(key, png, { contentType: 'image/png', upsert: true });
    const job = makeJob({ userId: me.id });
    await insertRows(harness.database.sql, 'users', [makeUser({ id: me.id }), makeUser({ id: otherId })]);
    await insertRows(harness.database.sql, 'jobs', [job]);
    const mine = [
      '4b0e6f0e-0c52-4c0e-8f0f-2f4a52a1c001/1.png',
      'f/1.png',
      '1763700000000-roof (1).png',
      `${me.id}/${job.id}/old.png`,
    ];
    for (const key of mine) expect((await put(me.client, key)).error, key).toBeNull();
    const foreign = [
      ...mine,
      '4b0e6f0e-0c52-4c0e-8f0f-2f4a52a1c001/2.png',
      'f/2.png',
      `${job.id}/old.png`,
      `${job.id}/new.png`,
      `${me.id}/2.png`,
      `${me.id.toUpperCase()}/1.png`,
    ];
    for (const key of foreign) expect((await put(other, key)).error, key).toMatchObject(denied);
    expect((await photos(other).update(mine[0]!, jpegOf(99), { contentType: 'image/jpeg' })).error).toMatchObject(
      denied,
    );
    expect((await photos(other).remove([...mine, `${job.id}/old.png`])).data).toEqual([]);
    expect((await put(harness.client(), 'g/1.png')).error).toMatchObject(denied);
    expect(
      (await me.client.storage.from('secrets').upload('g/1.png', png, { contentType: 'image/png' })).error,
    ).toMatchObject({ statusCode: '404', code: 'NoSuchBucket' });
    for (const key of mine) expect(await bytesAt(key), key).toEqual(png);
    expect((await put(other, 'g/1.png')).error).toBeNull();
  });

  it('a file of an earlier version’s app gets a name without its person, and is found by either', async () => {
    const { id, client } = await harness.person();
    const send = (bucket: string, key: string) =>
      client.storage.from(bucket).upload(key, png, { contentType: 'image/png', upsert: true });
    const job = 'b1f0a1de-60d5-4a5e-9a13-0a7b1c3de001';
    // The app that was killed sends it again.
    for (const _ of [1, 2]) {
      expect((await send('job-photos', `${id}/${job}/1.png`)).data?.fullPath).toBe(`job-photos/${id}/${job}/1.png`);
      expect((await send('tradie-logos', `${id}/1-logo.png`)).error).toBeNull();
    }
    const { rows } = await sql<{
      bucket_id: string;
      name: string;
      former_name: string;
    }>`select bucket_id, name, former_name from embedded.objects where owner_id = ${id} order by bucket_id`.execute(
      harness.database.sql,
    );
    expect(rows).toEqual([
      { bucket_id: 'job-photos', name: `${job}/1.png`, former_name: `${id}/${job}/1.png` },
      {
        bucket_id: 'tradie-logos',
        name: expect.stringMatching(/^[0-9a-f-]{36}\/1-logo\.png$/) as string,
        former_name: `${id}/1-logo.png`,
      },
    ]);
    expect(rows.filter(({ name }) => name.includes(id))).toEqual([]);
    for (const { bucket_id: bucket, name, former_name: former } of rows) {
      for (const key of [name, former])
        expect((await client.storage.from(bucket).download(key)).data?.size, key).toBe(png.length);
    }
  });

  it('accepts no token that is forged or signed out', async () => {
    const send = (headers: Record<string, string>) =>
      fetch(`${harness.url}/storage/v1/object/job-photos/${me.id}/token.png`, {
        method: 'POST',
        headers: { 'Content-Type': 'image/png', ...headers },
        body: png,
      });
    expect(await (await send({})).json()).toMatchObject({ statusCode: '400', code: 'InvalidRequest' });
    expect(await (await send({ Authorization: `Bearer ${me.token.slice(0, -4)}AAAA` })).json()).toMatchObject({
      statusCode: '403',
      code: 'AccessDenied',
    });
    const { client, id, token } = await harness.person();
    await client.auth.signOut();
    const gone = await fetch(`${harness.url}/storage/v1/object/job-photos/${id}/1.png`, {
      method: 'POST',
      headers: { 'Content-Type': 'image/png', Authorization: `Bearer ${token}` },
      body: png,
    });
    expect(await gone.json()).toMatchObject({ statusCode: '403', code: 'AccessDenied' });
  });

  it("lists, describes and removes one's own", async () => {
    const { client } = await harness.person();
    const folder = 'd5c5a0a4-7a0b-4f4e-9d52-3b1c55aa1001';
    for (const name of ['b.png', 'a.png', 'job/1.png', 'job/2.png'])
      await photos(client).upload(`${folder}/${name}`, png, { contentType: 'image/png', cacheControl: '60' });
    const { data } = await photos(client).list(folder);
    expect(data?.map(({ name, id: objectId }) => [name, objectId !== null])).toEqual([
      ['a.png', true],
      ['b.png', true],
      ['job', false],
    ]);
    expect(data?.[0]?.metadata).toMatchObject({
      size: png.length,
      mimetype: 'image/png',
      cacheControl: 'max-age=60',
      eTag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    });
    expect((await photos(client).list(`${folder}/job`, { limit: 1, offset: 1 })).data?.map(({ name }) => name)).toEqual(
      ['2.png'],
    );
    expect(
      (await photos(client).list(folder, { search: 'b', sortBy: { column: 'name', order: 'desc' } })).data?.map(
        ({ name }) => name,
      ),
    ).toEqual(['b.png']);
    expect((await photos().list(folder)).data).toEqual([]);
    expect((await photos(harness.client()).list(folder)).data).toEqual([]);
    expect((await photos(client).info(`${folder}/a.png`)).data).toMatchObject({
      name: `${folder}/a.png`,
      size: png.length,
      contentType: 'image/png',
    });
    expect((await photos(client).exists(`${folder}/a.png`)).data).toBe(true);

    const removed = await photos(client).remove([`${folder}/a.png`, `${folder}/absent.png`, `${me.id}/job-1/1.jpg`]);
    expect(removed.data?.map(({ name }) => name)).toEqual([`${folder}/a.png`]);
    expect((await photos(client).exists(`${folder}/a.png`)).data).toBe(false);
    expect((await photos(client).download(`${folder}/a.png`)).error).not.toBeNull();
    expect((await photos(client).remove([])).error).toMatchObject({ code: 'InvalidRequest' });
  });
});
