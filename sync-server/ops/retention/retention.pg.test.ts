import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { day } from '../../../shared/lib/durations.ts';
import { makeInterest, makeJob, makeTestId } from '../../../shared/testing/make.ts';
import type { Tradie, User } from '../../../shared/tables/index.ts';
import { insertRows } from '../../db/write-rows.ts';
import { embeddedRetention } from '../../embedded/embedded-retention.ts';
import { createFileStore, type FileStore } from '../../embedded/storage/file-store.ts';
import { writeDeadLetter } from '../../sync/attempts.ts';
import { openSyncHarness, post, type SyncHarness } from '../../testing/sync-harness.ts';
import { usualDatabase } from '../../testing/test-db.ts';
import { plainJobs } from './plain-jobs.ts';
import { runRetention } from './run-retention.ts';
import { advisoryLocks } from '../../db/advisory-locks.ts';

describe.each(usualDatabase)('retention on %s', (kind) => {
  let harness: SyncHarness;
  let owner: User;
  let tradie: { user: User; tradie: Tradie };
  let folder: string;
  let files: FileStore;
  beforeEach(async () => {
    harness = await openSyncHarness(kind);
    owner = await harness.homeowner();
    tradie = await harness.tradie();
    folder = await mkdtemp(join(tmpdir(), 'dwang-retention-'));
    files = await createFileStore(folder);
  });
  afterEach(async () => {
    await harness.close();
    await rm(folder, { recursive: true });
  });

  const run = async (dryRun = false) => {
    const found = await runRetention(
      {
        database: harness.db,
        clock: harness.now,
        log: harness.parts.log,
        retention: [...plainJobs, ...embeddedRetention(files)],
      },
      { dryRun },
    );
    // The database's own clock says when a row was removed, and it does not move with the test's.
    return Object.fromEntries(
      found
        .filter(({ job }) => job !== 'removals')
        .filter(({ count, state }) => count > 0 || state === 'failed')
        .map(({ job, count, state }) => [job, state === 'failed' ? state : count]),
    );
  };
  const count = async (table: string) =>
    (await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(harness.db.sql)).rows[0]!.n;
  const expectForgotten = async (what: Record<string, number>) => {
    expect(await run(true)).toEqual(what);
    expect(await run(true)).toEqual(what);
    expect(await run()).toEqual(what);
    expect(await run()).toEqual({});
  };

  it('deletes nothing that is within its retention', async () => {
    await harness.ask(owner, { mutations: [post()] });
    const job = await harness.job(owner, {
      status: 'closed',
      closedAt: harness.now().toISOString(),
      address: '1 Road',
      interestCount: 1,
    });
    await insertRows(harness.db.sql, 'interests', [
      makeInterest({ jobId: job.id, tradieId: tradie.tradie.id, userId: tradie.user.id, ownerId: owner.id }),
    ]);
    harness.pass(179 * day);
    expect(await run(true)).toEqual({});
    expect(await run()).toEqual({});
  });

  it('a year after a job was closed neither person has the other’s contact data, on any device', async () => {
    const job = await harness.job(owner, {
      status: 'closed',
      closedAt: harness.now().toISOString(),
      address: '1 Road',
      suburb: 'Winton',
      interestCount: 1,
    });
    const open = await harness.job(owner, { address: '2 Road', interestCount: 1 });
    for (const { id: jobId } of [job, open])
      await insertRows(harness.db.sql, 'interests', [
        makeInterest({ jobId, tradieId: tradie.tradie.id, userId: tradie.user.id, ownerId: owner.id, note: 'Ring me' }),
      ]);
    const [ownersPhone, tradiesPhone] = [harness.device(owner), harness.device(tradie.user)];
    await ownersPhone.sync();
    await tradiesPhone.sync();
    expect([ownersPhone.rows.get('interests')!.size, tradiesPhone.rows.get('jobs')!.size]).toEqual([2, 2]);
    harness.pass(366 * day);
    await expectForgotten({ 'closed-jobs': 2 });
    await ownersPhone.sync();
    await tradiesPhone.sync();
    expect([...ownersPhone.rows.get('interests')!.values()].map(({ jobId }) => jobId)).toEqual([open.id]);
    expect(ownersPhone.row('jobs', job.id)).toMatchObject({ address: null, suburb: null, title: job.title });
    expect(ownersPhone.row('jobs', open.id)).toMatchObject({ address: '2 Road' });
    expect([...tradiesPhone.rows.get('jobs')!.keys()]).toEqual([open.id]);
  });

  it('deletes outcomes after 180 days, and open dead letters never', async () => {
    const waiting = post();
    await writeDeadLetter(harness.parts, owner.id, waiting, new Error('said by the test'));
    await harness.ask(owner, { mutations: [post(), post()] });
    harness.pass(181 * day);
    await expectForgotten({ outcomes: 2 });
    expect(await harness.ask(owner, { awaiting: [waiting.uid] })).toMatchObject({ outcomes: [{ status: 'parked' }] });
    await sql`update sync_parked set discarded_at = ${harness.now()}`.execute(harness.db.sql);
    harness.pass(31 * day);
    await expectForgotten({ outcomes: 1, parked: 1 });
  });

  it('deletes contact reads after a year, effects, alerts, devices and audit rows after their days', async () => {
    const now = harness.now();
    await sql`insert into contact_read (reader_id, tradie_id, day, first_at, last_at, reads) values (${owner.id}, ${tradie.tradie.id}, ${now}, ${now}, ${now}, 1)`.execute(
      harness.db.sql,
    );
    await sql`insert into effect (name, payload, at, due_at, done_at) values ('mail.send', '{}', ${now}, ${now}, ${now})`.execute(
      harness.db.sql,
    );
    await sql`insert into sync_device (user_id, device, first_at, last_at, exchanges, protocol, schema, sent) values (${owner.id}, 'd', ${now}, ${now}, 1, 1, 1, 0)`.execute(
      harness.db.sql,
    );
    await sql`insert into sync_sent_again (user_id, uid, name, timeline, became, first_at, last_at) values (${owner.id}, ${owner.id}, 'job.post', 't', 'applied', ${now}, ${now})`.execute(
      harness.db.sql,
    );
    await sql`insert into admin_audit (at, action, request_id, result) values (${now}, 'person.state', 'r', 'done')`.execute(
      harness.db.sql,
    );
    await sql`insert into alert (user_id, kind, subject_id, job_id, at) values (${owner.id}, 'job', ${owner.id}, ${owner.id}, ${now})`.execute(
      harness.db.sql,
    );
    harness.pass(31 * day);
    await expectForgotten({ effects: 1, alerts: 1 });
    harness.pass(150 * day);
    await expectForgotten({ devices: 1, 'sent-again': 1 });
    harness.pass(185 * day);
    await expectForgotten({ 'contact-reads': 1 });
    harness.pass(365 * day);
    await expectForgotten({ audit: 1 });
  });

  it('deletes mails and files that nothing shows, with their bytes, and keeps those that are shown', async () => {
    const keep = async (bucket: string, name: string, by: string) => {
      const draft = await files.receive(
        (async function* () {
          yield new Uint8Array([1]);
        })(),
        10,
      );
      await draft.keep();
      await sql`insert into embedded.objects (id, bucket_id, name, owner_id, version, size, mime_type, cache_control, md5, created_at, updated_at)
        values (${makeTestId()}, ${bucket}, ${name}, ${by}, ${draft.version}, 1, 'image/png', '', '', ${harness.now()}, ${harness.now()})`.execute(
        harness.db.sql,
      );
      return draft.version;
    };
    const job = makeJob({ userId: owner.id });
    const shown = await keep('job-photos', `${job.id}/1-shown.jpg`, owner.id);
    await keep('job-photos', `${job.id}/1_shown.jpg`, owner.id);
    const logo = await keep('tradie-logos', 'folder/logo.png', tradie.user.id);
    await keep('tradie-logos', 'folder/old.png', tradie.user.id);
    await insertRows(harness.db.sql, 'jobs', [{ ...job, images: [`job-photos/${job.id}/1-shown.jpg`] }]);
    await sql`update tradies set logo = 'tradie-logos/folder/logo.png'`.execute(harness.db.sql);
    await sql`insert into embedded.mails (recipient, subject, text, html, links, at) values ('a@example.nz', '', '', '', '[]', ${harness.now()})`.execute(
      harness.db.sql,
    );
    harness.pass(31 * day);
    await expectForgotten({ mails: 1 });
    harness.pass(150 * day);
    await expectForgotten({ photos: 2 });
    const left = (await readdir(join(folder, 'objects'), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
    expect(left.toSorted()).toEqual([shown, logo].toSorted());
  });

  it('[S5] purges removals as the floor rises, and counts them the same way before', async () => {
    const job = await harness.job(owner);
    await sql`delete from jobs`.execute(harness.db.sql);
    await sql`update sync_change set changed_at = ${harness.now()} where entity_id = ${job.id}`.execute(harness.db.sql);
    const parts = {
      database: harness.db,
      clock: harness.now,
      log: harness.parts.log,
      retention: plainJobs.filter(({ name }) => name === 'removals'),
    };
    harness.pass(89 * day);
    expect(await runRetention(parts, { dryRun: true })).toMatchObject([{ count: 0 }]);
    harness.pass(2 * day);
    expect(await runRetention(parts, { dryRun: true })).toMatchObject([{ count: 1, state: 'dry' }]);
    expect(await runRetention(parts, { dryRun: false })).toMatchObject([{ count: 1, state: 'done' }]);
    expect(
      (await sql<{ raised: boolean }>`select tombstone_floor > 0 as raised from sync_meta`.execute(harness.db.sql))
        .rows,
    ).toEqual([{ raised: true }]);
  });

  it('a job that fails does not hold the others up', async () => {
    await harness.ask(owner, { mutations: [post()] });
    harness.pass(200 * day);
    const broken = {
      name: 'broken',
      says: '',
      count: () => Promise.resolve(1),
      forget: () => Promise.reject(new Error('said by the test')),
    };
    const parts = {
      database: harness.db,
      clock: harness.now,
      log: harness.parts.log,
      retention: [broken, ...plainJobs.filter(({ name }) => name === 'outcomes')],
    };
    expect(await runRetention(parts, { dryRun: false })).toMatchObject([
      { state: 'failed' },
      { state: 'done', count: 1 },
    ]);
  });

  it('deletes thousands in portions', async () => {
    await sql`insert into sync_mutation (user_id, uid, name, args_hash, status, outcome, at) select ${owner.id}, gen_random_uuid(), 'job.post', 'x', 'applied', '{"status":"applied"}', ${harness.now()} from generate_series(1, 2500)`.execute(
      harness.db.sql,
    );
    harness.pass(200 * day);
    await expectForgotten({ outcomes: 2_500 });
    expect(await count('sync_mutation')).toBe(0);
  });
});

describe('retention on two instances', () => {
  it('leaves a job to the instance that is running it, and does it once that is over', async () => {
    const harness = await openSyncHarness('postgres');
    await harness.ask(await harness.homeowner(), { mutations: [post()] });
    harness.pass(200 * day);
    const parts = {
      database: harness.db,
      clock: harness.now,
      log: harness.parts.log,
      retention: plainJobs.filter(({ name }) => name === 'outcomes'),
    };
    await harness.db.transaction(async (held) => {
      await sql`select pg_advisory_xact_lock(${advisoryLocks.retention})`.execute(held);
      expect(await runRetention(parts, { dryRun: false })).toMatchObject([{ state: 'busy', count: 0 }]);
    });
    expect(await runRetention(parts, { dryRun: false })).toMatchObject([{ state: 'done', count: 1 }]);
    await harness.close();
  });
});
