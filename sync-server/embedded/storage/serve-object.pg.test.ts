import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEmbeddedHarness } from '../../testing/embedded-harness.ts';
import type { EmbeddedHarness } from '../../testing/embedded-harness.ts';
import { createFileStore, storageFolder } from './file-store.ts';
import { findEmbeddedFiles } from './find-files.ts';
import { usualDatabase } from '../../testing/test-db.ts';
import { jpegOf, png } from '../../../shared/testing/tiny-pictures.ts';

describe.each(usualDatabase)('reading what was uploaded on %s', (kind) => {
  let harness: EmbeddedHarness;
  let address: string;
  const jpeg = jpegOf(1000);
  beforeAll(async () => {
    harness = await openEmbeddedHarness(kind);
    const { client, id } = await harness.person();
    const bucket = client.storage.from('job-photos');
    await bucket.upload(`${id}/1.jpg`, new Blob([jpeg], { type: 'image/jpeg' }), { cacheControl: '600' });
    address = bucket.getPublicUrl(`${id}/1.jpg`).data.publicUrl;
  });
  afterAll(() => harness.close());
  const get = (headers: Record<string, string> = {}, at = address, method = 'GET') => fetch(at, { headers, method });

  it('is public, and inert', async () => {
    const response = await get();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': '1000',
      'cache-control': 'max-age=600',
      'accept-ranges': 'bytes',
      etag: `"${createHash('md5').update(jpeg).digest('hex')}"`,
      'last-modified': expect.stringMatching(/GMT$/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(jpeg);
    const anonymous = await harness
      .client()
      .storage.from('job-photos')
      .download(new URL(address).pathname.split('/job-photos/')[1] ?? '');
    expect(anonymous.data?.size).toBe(1000);
  });

  it('is not sent again to those who have it', async () => {
    const etag = (await get({}, address, 'HEAD')).headers.get('etag') ?? '';
    const fresh = await get({ 'If-None-Match': etag });
    expect([fresh.status, fresh.headers.get('etag'), await fresh.text()]).toEqual([304, etag, '']);
    expect((await get({ 'If-None-Match': '"other"' })).status).toBe(200);
    expect((await get({ 'If-None-Match': `"other", W/${etag}` })).status).toBe(304);
    expect((await get({ 'If-Modified-Since': new Date(Date.now() + 1000).toUTCString() })).status).toBe(304);
    expect((await get({ 'If-Modified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT' })).status).toBe(200);
  });

  it('has its metadata without its bytes', async () => {
    const response = await get({}, address, 'HEAD');
    expect([
      response.status,
      response.headers.get('content-length'),
      response.headers.get('content-type'),
      await response.text(),
    ]).toEqual([200, '1000', 'image/jpeg', '']);
  });

  it('comes in parts', async () => {
    const part = await get({ Range: 'bytes=0-3' });
    expect([part.status, part.headers.get('content-range'), part.headers.get('content-length')]).toEqual([
      206,
      'bytes 0-3/1000',
      '4',
    ]);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(jpeg.slice(0, 4));
    expect((await (await get({ Range: 'bytes=-10' })).arrayBuffer()).byteLength).toBe(10);
    expect((await get({ Range: 'bytes=0-3', 'If-Range': '"older"' })).status).toBe(200);
    const beyond = await get({ Range: 'bytes=1000-' });
    expect([beyond.status, beyond.headers.get('content-range'), (await beyond.json()) as object]).toMatchObject([
      416,
      'bytes */1000',
      { code: 'InvalidRange' },
    ]);
  });

  it('can be saved under a name, which cannot break out of its header', async () => {
    expect((await get({}, `${address}?download=`)).headers.get('content-disposition')).toBe(
      'attachment; filename="1.jpg"',
    );
    const named = await get({}, `${address}?download=${encodeURIComponent('mā"\r\nX-Evil: 1.jpg')}`);
    expect(named.headers.get('x-evil')).toBeNull();
    expect(named.headers.get('content-disposition')).toBe(
      'attachment; filename="m?\\"??X-Evil: 1.jpg"; filename*=UTF-8\'\'m%C4%81%22%0D%0AX-Evil%3A%201.jpg',
    );
  });

  it('is not there when it is not', async () => {
    const absent = await get({}, `${address}x`);
    expect([absent.status, await absent.json()]).toEqual([
      400,
      { statusCode: '404', error: 'not_found', message: 'Object not found', code: 'NoSuchKey' },
    ]);
    expect(absent.headers.get('cache-control')).toBe('no-store');
    expect(await (await get({}, address.replace('job-photos', 'other'))).json()).toMatchObject({
      statusCode: '404',
      code: 'NoSuchBucket',
    });
  });

  it('shows what was seeded, in place of what was there', async () => {
    for (const bytes of [jpeg, png])
      await harness.storage.put({ bucket: 'tradie-logos', key: 'demo/logo.png', bytes, ownerId: null });
    const response = await get({}, `${harness.url}/storage/v1/object/public/tradie-logos/demo/logo.png`);
    expect([response.headers.get('content-type'), (await response.arrayBuffer()).byteLength]).toEqual([
      'image/png',
      png.length,
    ]);
    await expect(
      harness.storage.put({
        bucket: 'tradie-logos',
        key: 'demo/page.html',
        bytes: Buffer.from('<html>'),
        ownerId: null,
      }),
    ).rejects.toMatchObject({ code: 'InvalidMimeType' });
  });

  it('is an error, and said to be one, when the disk has lost it', async () => {
    await harness.storage.put({ bucket: 'job-photos', key: 'demo/lost.png', bytes: png, ownerId: null });
    await rm(join(harness.dataDir, 'storage/objects'), { recursive: true });
    const lost = await get({}, `${harness.url}/storage/v1/object/public/job-photos/demo/lost.png`);
    expect([lost.status, await lost.json()]).toMatchObject([500, { code: 'InternalError' }]);
    expect(harness.errors).toHaveLength(1);
  });

  it('is asked for again when a restore brought back its row alone, and its owner can send it again, once', async () => {
    const { client, id } = await harness.person();
    const bucket = client.storage.from('job-photos');
    const send = async () => (await bucket.upload(`${id}/2.jpg`, new Blob([jpeg], { type: 'image/jpeg' }))).error;
    expect(await send()).toBeNull();
    const files = await createFileStore(storageFolder(harness.dataDir));
    const find = async () =>
      (await findEmbeddedFiles(files)(harness.database.sql, [`job-photos/${id}/2.jpg`])).values().next().value;
    expect(await find()).toMatchObject({ ownerId: id });

    await rm(join(harness.dataDir, 'storage/objects'), { recursive: true });
    expect(await find()).toBeNull();
    expect(await send()).toBeNull();
    expect(await find()).toMatchObject({ ownerId: id });
    expect((await bucket.download(`${id}/2.jpg`)).data?.size).toBe(1000);
    expect(await send()).toMatchObject({ message: 'The resource already exists' });
  });
});
