import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeJob, makeReference, makeTestId, makeTradie, makeUser } from '../../shared/testing/make.ts';
import type { Job, User } from '../../shared/tables/index.ts';
import { readConfig } from '../lib/config.ts';
import { insertRows } from '../db/write-rows.ts';
import { createSqlStore } from '../store/sql-store.ts';
import { findEmbeddedFiles } from '../embedded/storage/find-files.ts';
import { findHostedFiles } from '../ops/retention/hosted-owners.ts';
import { createExchange } from '../sync/exchange.ts';
import { openTestApp, type TestApp } from '../testing/test-app.ts';
import { usualDatabase, openTestDb, type TestDatabase } from '../testing/test-db.ts';
import { sent } from '../testing/sync-harness.ts';
import { protocolVersion, schemaVersion } from '../../shared/protocol/version.ts';

const all = { has: async () => true };
const supabase = {
  SUPABASE_URL: 'https://x.supabase.co',
  SUPABASE_ANON_KEY: 'public',
  DATABASE_URL: 'postgres://elsewhere/x',
};

describe.each(usualDatabase)('addresses of photos on %s', (kind) => {
  let db: TestDatabase;
  let app: TestApp;
  let elsewhere: TestApp;
  let hosted: TestApp;
  let owner: User;
  let stranger: User;
  beforeAll(async () => {
    db = await openTestDb(kind);
    [owner, stranger] = [makeUser(), makeUser()];
    await insertRows(db.sql, 'users', [owner, stranger]);
    await insertRows(db.sql, 'reference', [
      makeReference(),
      makeReference({ id: 'southland/winton', kind: 'location', name: 'Winton', region: 'Southland' }),
    ]);
    const verifyToken = async (userId: string) => ({
      userId,
      email: userId === owner.id ? owner.email : stranger.email,
    });
    const parts = { database: db, verifyToken, findFiles: findEmbeddedFiles(all) };
    app = await openTestApp(parts);
    elsewhere = await openTestApp({ ...parts, config: readConfig({ PUBLIC_URL: 'https://dwang.example.nz' }) });
    hosted = await openTestApp({ ...parts, config: readConfig(supabase), findFiles: findHostedFiles });
  });
  afterAll(async () => {
    await Promise.all([app.close(), elsewhere.close(), hosted.close()]);
    await db.close();
  });

  const put = (ref: string, ownerId = owner.id, former: string | null = null) =>
    sql`insert into embedded.objects
    (id, bucket_id, name, former_name, owner_id, version, size, mime_type, cache_control, md5, created_at, updated_at)
    values (${randomUUID()}, ${ref.split('/')[0]}, ${ref.slice(ref.indexOf('/') + 1)}, ${former}, ${ownerId}, ${randomUUID()}, 1, 'image/png', '', '', now(), now())`.execute(
      db.sql,
    );
  const at = (ref: string, origin: string) =>
    `${origin}/storage/v1/object/public/${ref.split('/').map(encodeURIComponent).join('/')}`;
  const newJob = (images: string[], more: object = {}) => ({
    title: 'Fix a gate',
    description: 'It sags.',
    locationId: 'southland/winton',
    urgency: 'slow',
    categoryId: 'spouting',
    images,
    ...more,
  });
  async function ask(
    by: User,
    method: string,
    path: string,
    body?: unknown,
    harness = app,
  ): Promise<{ status: number; body: { id: string; images: string[]; code?: string } }> {
    const response = await harness.call(path, {
      method,
      headers: { authorization: `Bearer ${by.id}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as { id: string; images: string[] } };
  }
  const kept = async (id: string) =>
    (await sql<{ images: string[] }>`select images from jobs where id = ${id}`.execute(db.sql)).rows[0]?.images;
  async function jobWith(...names: string[]): Promise<Job> {
    const id = makeTestId();
    const job = makeJob({ id, userId: owner.id, images: names.map((name) => `job-photos/${id}/${name}`) });
    for (const ref of job.images) await put(ref);
    await insertRows(db.sql, 'jobs', [job]);
    return job;
  }

  it('the specification’s plain name, sent with no id, works for the person who uploaded it, and for no other', async () => {
    const ref = 'job-photos/1763700000000-roof (1).jpg';
    await put(ref);
    expect(await ask(stranger, 'POST', '/api/jobs', newJob([at(ref, app.origin)]))).toMatchObject({
      status: 400,
      body: { code: 'foreign-photo' },
    });
    const posted = await ask(owner, 'POST', '/api/jobs', newJob([at(ref, app.origin)]));
    expect(posted).toMatchObject({ status: 201, body: { images: [at(ref, app.origin)] } });
    expect(await kept(posted.body.id)).toEqual([ref]);
  });

  it('the same photo is answered by the address the server is known by, whatever address it was sent with', async () => {
    const job = await jobWith();
    const ref = `job-photos/${job.id}/1.jpg`;
    await put(ref);
    for (const origin of ['http://192.168.1.20:4100', 'https://formerly.example.nz']) {
      expect((await ask(owner, 'PATCH', `/api/jobs/${job.id}`, { images: [at(ref, origin)] })).body.images).toEqual([
        at(ref, app.origin),
      ]);
    }
    expect((await ask(owner, 'GET', `/api/jobs/${job.id}`, undefined, elsewhere)).body.images).toEqual([
      at(ref, 'https://dwang.example.nz'),
    ]);
    expect((await ask(owner, 'GET', `/api/jobs/${job.id}`, undefined, hosted)).body.images).toEqual([
      at(ref, 'https://x.supabase.co'),
    ]);
    expect(await kept(job.id)).toEqual([ref]);
  });

  it('an address of the earlier version, which named its person, is taken and kept without', async () => {
    const job = await jobWith();
    const [ref, former] = [`job-photos/${job.id}/1.jpg`, `${owner.id}/${job.id}/1.jpg`];
    await put(ref, owner.id, former);
    const answer = await ask(owner, 'PATCH', `/api/jobs/${job.id}`, {
      images: [at(`job-photos/${former}`, app.origin)],
    });
    expect(answer.body.images).toEqual([at(ref, app.origin)]);
    expect(
      (await ask(owner, 'PATCH', `/api/jobs/${job.id}`, { images: [at(`job-photos/${former}`, app.origin)] })).body
        .images,
    ).toEqual([at(ref, app.origin)]);
  });

  it('PATCH keeps the order it is given', async () => {
    const job = await jobWith('a.jpg', 'b.jpg', 'c.jpg', 'd.jpg');
    const ref = (name: string) => `job-photos/${job.id}/${name}.jpg`;
    for (const name of ['e', 'f']) await put(ref(name));
    for (const order of ['dcba', 'dcea', 'dfcea', 'a', 'ab', 'ba']) {
      const images = [...order].map((name) => at(ref(name), app.origin));
      expect((await ask(owner, 'PATCH', `/api/jobs/${job.id}`, { images })).body.images).toEqual(images);
      expect(await kept(job.id)).toEqual([...order].map(ref));
    }
  });

  it('a photo whose file is not there (a backup from before it) is rejected with a code of its own, and accepted once it is', async () => {
    const job = await jobWith();
    const url = `job-photos/${job.id}/1.jpg`;
    const exchange = createExchange({
      store: createSqlStore(db, findEmbeddedFiles(all)),
      clock: () => new Date(),
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
    const attach = async (by: User, ref = url) => {
      const mutation = sent('photo.attach', { id: makeTestId(), jobId: job.id, url: ref });
      const answer = await exchange(
        { userId: by.id },
        {
          protocol: protocolVersion,
          schema: schemaVersion,
          userId: by.id,
          cookie: null,
          shelves: {},
          mutations: [mutation],
          awaiting: [],
        },
      );
      return answer.kind === 'delta' ? answer.outcomes.find(({ uid }) => uid === mutation.uid) : undefined;
    };
    expect(await attach(owner)).toMatchObject({ status: 'refused', code: 'file-missing' });
    expect(await ask(owner, 'PATCH', `/api/jobs/${job.id}`, { images: [at(url, app.origin)] })).toMatchObject({
      status: 409,
      body: { code: 'file-missing' },
    });
    await put(url);
    expect(await attach(owner)).toMatchObject({ status: 'applied' });
    // Another person's file in a folder of the job's name is not the owner's to show either.
    const foreign = `job-photos/${job.id}/2.jpg`;
    await put(foreign, stranger.id);
    expect(await attach(owner, foreign)).toMatchObject({ status: 'refused', code: 'foreign-photo' });
  });

  it('a person cannot use another’s logo', async () => {
    const tradie = makeTradie({ userId: stranger.id });
    await insertRows(db.sql, 'tradies', [tradie]);
    await sql`update users set tradie_id = ${tradie.id} where id = ${stranger.id}`.execute(db.sql);
    const [mine, theirs] = [`tradie-logos/${randomUUID()}/1.png`, `tradie-logos/${randomUUID()}/1.png`];
    await put(mine, stranger.id);
    await put(theirs, owner.id);
    const set = (ref: string) => ask(stranger, 'PATCH', `/api/tradies/${tradie.id}`, { logo: at(ref, app.origin) });
    expect(await set(theirs)).toMatchObject({ status: 400, body: { code: 'foreign-photo' } });
    expect(await set(mine)).toMatchObject({ status: 200, body: { logo: at(mine, app.origin) } });
  });

  it('of a hosted project the owner is asked where its list of files can be read, and the path decides where it cannot', async () => {
    const refs = ['job-photos/a/1.jpg', 'job-photos/lost.jpg'];
    expect(await findHostedFiles(db.sql, refs)).toEqual(new Map());
    await sql`create schema storage`.execute(db.sql);
    await sql`create table storage.objects (bucket_id text, name text, owner_id text)`.execute(db.sql);
    await sql`insert into storage.objects values ('job-photos', 'a/1.jpg', ${owner.id})`.execute(db.sql);
    expect(await findHostedFiles(db.sql, refs)).toEqual(
      new Map([
        [refs[0], { ref: refs[0], ownerId: owner.id }],
        [refs[1], null],
      ]),
    );
  });
});
