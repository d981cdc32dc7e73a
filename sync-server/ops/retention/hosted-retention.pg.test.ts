import { createClient } from '@supabase/supabase-js';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { day } from '../../../shared/lib/durations.ts';
import { makeJob, makeTestId } from '../../../shared/testing/make.ts';
import type { Tradie, User } from '../../../shared/tables/index.ts';
import { readConfig } from '../../lib/config.ts';
import { insertRows } from '../../db/write-rows.ts';
import { createLog } from '../../lib/log.ts';
import { createMaintenance } from '../../create-services.ts';
import { openHostedStorage, type HostedStorage } from '../../testing/hosted-storage.ts';
import { openSyncHarness, post, type SyncHarness } from '../../testing/sync-harness.ts';
import { usualDatabase } from '../../testing/test-db.ts';
import { createHostedFiles } from './hosted-files.ts';
import { hostedRetention } from './hosted-retention.ts';
import { plainJobs } from './plain-jobs.ts';
import type { RetentionJob } from '../../ports/retention-job.ts';
import { runRetention } from './run-retention.ts';

const serviceKey = 'sb_secret_planted-key-0123456789';

describe.each(usualDatabase)('retention of hosted files on %s', (kind) => {
  let harness: SyncHarness;
  let storage: HostedStorage;
  let owner: User;
  let tradie: { user: User; tradie: Tradie };
  let lines: string[];
  beforeEach(async () => {
    harness = await openSyncHarness(kind);
    storage = await openHostedStorage(serviceKey);
    owner = await harness.homeowner();
    tradie = await harness.tradie();
    lines = [];
  });
  afterEach(async () => {
    await storage.close();
    await harness.close();
  });

  const files = (timeoutMs = 60_000) => createHostedFiles({ url: storage.url, serviceKey, fetch, timeoutMs });
  const never = () => new AbortController().signal;
  const sweep = async (job: RetentionJob = hostedRetention(files(), never), dryRun = false) => {
    const log = createLog('trace', { write: (line) => void lines.push(line) });
    const outcomes = plainJobs.filter(({ name }) => name === 'outcomes');
    const found = await runRetention(
      { database: harness.db, clock: harness.now, log, retention: [job, ...outcomes] },
      { dryRun },
    );
    if (lines.join('').includes('planted')) throw new Error('the key is in the log');
    return found;
  };
  const photo = (name: string, by = owner.id) => storage.put('job-photos', `${by}/j/${name}`, harness.now());
  const isThere = (name: string) => storage.names().some((key) => key.endsWith(`/${name}`));

  it('removes what nothing shows, 180 days after it was uploaded, and keeps what is shown, young, or of people it does not know', async () => {
    const job = makeJob({ userId: owner.id });
    storage.put('job-photos', `${owner.id}/${job.id}/1-shown.jpg`, harness.now());
    storage.put('job-photos', `${owner.id}/${job.id}/1_shown.jpg`, harness.now());
    storage.put('job-photos', `${tradie.user.id}/${job.id}/1-shown.jpg`, harness.now());
    storage.put('job-photos', `${job.id}/2-shown.jpg`, harness.now());
    storage.put('job-photos', `${job.id}/2-old.jpg`, harness.now());
    storage.put('tradie-logos', `${tradie.user.id}/my logo.png`, harness.now());
    storage.put('tradie-logos', `${makeTestId()}/nobody-knows-whose.png`, harness.now());
    storage.put('tradie-logos', `${tradie.user.id}/old.png`, harness.now());
    storage.put('job-photos', `${makeTestId()}/j/1-stranger.jpg`, harness.now());
    storage.put('job-photos', 'brand/banner.jpg', harness.now());
    await insertRows(harness.db.sql, 'jobs', [
      { ...job, images: [`job-photos/${owner.id}/${job.id}/1-shown.jpg`, `job-photos/${job.id}/2-shown.jpg`] },
    ]);
    await sql`update tradies set logo = ${`tradie-logos/${tradie.user.id}/my logo.png`}`.execute(harness.db.sql);
    photo('1-replaced.jpg');
    harness.pass(2 * day);
    photo('1-young.jpg');
    photo('1-replaced.jpg');
    harness.pass(178 * day + 1);
    const all = storage.names();

    expect(await sweep(undefined, true)).toMatchObject([{ job: 'photos', count: 4, state: 'dry' }, {}]);
    expect(await sweep(undefined, true)).toMatchObject([{ count: 4 }, {}]);
    expect(storage.names()).toEqual(all);
    expect(storage.calls.filter((call) => call.startsWith('DELETE'))).toEqual([]);
    expect(await sweep()).toMatchObject([{ job: 'photos', count: 4, state: 'done' }, {}]);
    const gone = [
      `job-photos/${job.id}/2-old.jpg`,
      `job-photos/${owner.id}/${job.id}/1_shown.jpg`,
      `job-photos/${tradie.user.id}/${job.id}/1-shown.jpg`,
      `tradie-logos/${tradie.user.id}/old.png`,
    ];
    expect(storage.names()).toEqual(all.filter((name) => !gone.includes(name)));
    expect(
      (
        await sql<{ removed: number }>`select removed::int as removed from retention_run where job = 'photos'`.execute(
          harness.db.sql,
        )
      ).rows,
    ).toEqual([{ removed: 4 }]);
    expect(await sweep()).toMatchObject([{ count: 0, state: 'done' }, {}]);
  });

  it('where the project’s own list of files can be read, it says whose they are, whatever their folder', async () => {
    await sql`create schema storage`.execute(harness.db.sql);
    await sql`create table storage.objects (bucket_id text, name text, owner_id text)`.execute(harness.db.sql);
    for (const [name, by] of [
      ['1763700000000-roof.jpg', owner.id],
      ['folder/1.jpg', owner.id],
      ['folder/2.jpg', makeTestId()],
    ] as const) {
      storage.put('job-photos', name, harness.now());
      await sql`insert into storage.objects values ('job-photos', ${name}, ${by})`.execute(harness.db.sql);
    }
    await insertRows(harness.db.sql, 'jobs', [makeJob({ userId: owner.id, images: ['job-photos/folder/1.jpg'] })]);
    harness.pass(181 * day);
    expect(await sweep()).toMatchObject([{ count: 1, state: 'done' }, {}]);
    expect(storage.names()).toEqual(['job-photos/folder/1.jpg', 'job-photos/folder/2.jpg']);
  });

  it('goes through more files than storage lists at once, and on where it had to stop', async () => {
    for (let n = 0; n < 1_000; n += 1) photo(`${n}.jpg`, '00000000-0000-7000-8000-000000000001');
    for (let n = 0; n < 1_300; n += 1) photo(`${n}.jpg`);
    storage.put('tradie-logos', `${owner.id}/old.png`, harness.now());
    harness.pass(181 * day);
    let stop = new AbortController();
    const job = hostedRetention(files(), () => (stop = new AbortController()).signal);
    storage.onCall = () => {
      if (storage.calls.length === 2) stop.abort();
    };
    expect(await sweep(job)).toMatchObject([{ count: 0, state: 'done' }, {}]);
    storage.calls.length = 0;
    storage.onCall = () => undefined;
    expect(await sweep(job)).toMatchObject([{ count: 1_301, state: 'done' }, {}]);
    expect(storage.calls.filter((call) => call.startsWith('POST'))).toEqual([
      'POST list-v2/job-photos',
      'POST list-v2/job-photos',
      'POST list-v2/tradie-logos',
    ]);
    expect(storage.names()).toHaveLength(1_000);
  });

  it.each([
    ['POST list-v2/job-photos', 'refuse'],
    ['POST list-v2/tradie-logos', 'hang'],
    ['DELETE', 'refuse'],
    ['DELETE', 'hang'],
  ] as const)(
    'where storage, asked to %s, will %s, only this job fails, and the next run does it',
    async (call, is) => {
      await harness.ask(owner, { mutations: [post()] });
      photo('1-old.jpg');
      harness.pass(181 * day);
      storage.trouble = { with: call, is };
      const job = hostedRetention(files(is === 'hang' ? 50 : undefined), never);
      expect(await sweep(job)).toMatchObject([
        { job: 'photos', count: 0, state: 'failed' },
        { job: 'outcomes', count: 1, state: 'done' },
      ]);
      expect((await sql`select 1 from retention_run where job = 'photos'`.execute(harness.db.sql)).rows).toEqual([]);
      expect(lines.join('')).toContain('could not forget');
      storage.trouble = undefined;
      await sweep();
      expect(isThere('1-old.jpg')).toBe(false);
    },
  );

  it('removes nothing that the database could not be asked about', async () => {
    photo('1-old.jpg');
    harness.pass(181 * day);
    await sql`alter table tradies rename to elsewhere`.execute(harness.db.sql);
    expect(await sweep()).toMatchObject([{ state: 'failed' }, { state: 'done' }]);
    expect(isThere('1-old.jpg')).toBe(true);
    expect(storage.calls).toEqual(['POST list-v2/job-photos']);
  });

  it('removes nothing that storage did not say the age of, and nothing where it answers something else', async () => {
    photo('1-old.jpg');
    harness.pass(181 * day);
    const answering = (body: object) =>
      createHostedFiles({
        url: storage.url,
        serviceKey,
        fetch: (_, init) => Promise.resolve(init?.method === 'POST' ? Response.json(body) : Response.error()),
      });
    const ageless = {
      hasNext: false,
      objects: [{ name: `${owner.id}/j/1-old.jpg`, updated_at: null, created_at: harness.now().toISOString() }],
    };
    expect(await sweep(hostedRetention(answering(ageless), never), true)).toMatchObject([
      { count: 0, state: 'dry' },
      {},
    ]);
    for (const odd of [{}, { hasNext: true, objects: [] }, { hasNext: false, objects: [{ name: 'x' }] }]) {
      expect(await sweep(hostedRetention(answering(odd), never))).toMatchObject([{ state: 'failed' }, {}]);
    }
  });

  it('is there where the key is, and only there', async () => {
    const env = { DATABASE_URL: 'postgres://db/dwang', SUPABASE_URL: storage.url, SUPABASE_ANON_KEY: 'public' };
    const jobs = async (given: Record<string, string>) =>
      (await createMaintenance(readConfig({ ...env, ...given }), harness.db)).retention;
    expect((await jobs({})).map(({ name }) => name)).toEqual(plainJobs.map(({ name }) => name));
    photo('1-old.jpg');
    harness.pass(181 * day);
    const swept = (await jobs({ SUPABASE_SERVICE_ROLE_KEY: serviceKey })).find(({ name }) => name === 'photos');
    expect(await sweep(swept)).toMatchObject([{ count: 1, state: 'done' }, {}]);
    const refused = (await jobs({ SUPABASE_SERVICE_ROLE_KEY: 'sb_secret_planted-wrong' })).find(
      ({ name }) => name === 'photos',
    );
    expect(await sweep(refused)).toMatchObject([{ state: 'failed' }, {}]);
  });

  it('its double is understood by storage’s own client', async () => {
    photo('1-old.jpg');
    const { storage: client } = createClient(storage.url, serviceKey, {
      auth: { persistSession: false, autoRefreshToken: false },
    });
    const name = `${owner.id}/j/1-old.jpg`;
    expect(await client.from('job-photos').listV2({ limit: 10 })).toMatchObject({
      error: null,
      data: { hasNext: false, objects: [{ name }] },
    });
    expect(await client.from('job-photos').remove([name])).toMatchObject({ error: null, data: [{ name }] });
    expect(storage.names()).toEqual([]);
  });
});
