import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeUser } from '../../shared/testing/make.ts';
import { startNewTimeline } from '../db/new-timeline.ts';
import { insertRows } from '../db/write-rows.ts';
import { readSafety } from '../ops/health/safety.ts';
import { openSyncHarness, post, type SyncHarness } from '../testing/sync-harness.ts';
import { openSafePoints, recordBackup } from './safe-point.ts';

/*
 * Which changes are safe. The log of this PostgreSQL is archived nowhere and streamed nowhere; with a real standby and
 * a real archive that is asked in safe-log.pg.test.ts.
 */

let harness: SyncHarness;
const log = { warn: vi.fn() };
beforeEach(async () => {
  harness = await openSyncHarness('postgres');
});
afterEach(() => harness.close());

const position = async () =>
  (
    await sql<{ timeline: string; head: string }>`select lineage as timeline,
      greatest(tombstone_floor, (select max(version) from sync_change)) as head from sync_meta`.execute(harness.db.sql)
  ).rows[0]!;

it('nothing is safe where nothing is configured, and nothing that no archive has', async () => {
  await insertRows(harness.db.sql, 'users', [makeUser()]);
  const { timeline } = await position();
  for (const by of [undefined, 'archive', 'standby', 'backup'] as const) {
    const points = await openSafePoints(harness.db, by, log);
    await points.look();
    await points.look();
    expect(points.safe(timeline)).toBe(undefined);
    points.close();
  }
  expect(log.warn).not.toHaveBeenCalled();
});

it('a backup that was copied makes safe what it holds, in its own timeline, and an older one takes nothing back', async () => {
  await insertRows(harness.db.sql, 'users', [makeUser()]);
  const { timeline, head } = await position();
  const points = await openSafePoints(harness.db, 'backup', log);
  const at = new Date('2026-11-21T00:00:00Z');
  await recordBackup(harness.db.sql, { timeline, version: head, at });
  await recordBackup(harness.db.sql, { timeline, version: '1', at });
  await points.look();
  expect(points.safe(timeline)).toBe(head);
  const { timeline: next } = await startNewTimeline(harness.db.sql);
  await points.look();
  expect([points.safe(timeline), points.safe(next)]).toEqual([undefined, undefined]);
  points.close();
});

it('tells the operator how much is not safe, since when, and after a restore what came back from whom', async () => {
  const owner = await harness.homeowner();
  await harness.ask(owner, { mutations: [post()] });
  expect(await readSafety(harness.db, harness.now(), undefined)).toEqual({
    by: null,
    safeSince: null,
    notSafe: 1,
    restore: null,
  });
  const { timeline, head } = await position();
  const at = harness.now();
  await recordBackup(harness.db.sql, { timeline, version: head, at });
  harness.pass(60_000);
  await harness.ask(owner, { mutations: [post(), post()] });
  expect(await readSafety(harness.db, harness.now(), 'backup')).toMatchObject({
    by: 'backup',
    safeSince: at,
    notSafe: 2,
  });

  await startNewTimeline(harness.db.sql);
  await sql`update sync_timeline set began_at = ${harness.now()}`.execute(harness.db.sql);
  const lost = { ...post(), from: { timeline, version: head } };
  // This one was made before the restore and never acknowledged: nothing that was lost, so nothing that came back.
  const unsent = { ...post(), from: { timeline } };
  await harness.ask(owner, { journal: [], mutations: [lost, unsent] });
  const { restore, safeSince, notSafe } = await readSafety(harness.db, harness.now(), 'backup');
  // The backup holds what came with it; to phones nothing of the new timeline is safe before the next one.
  expect([safeSince, notSafe]).toEqual([at, 4]);
  expect(restore?.sentAgain).toMatchObject({ applied: 1, refused: 0, waitingAtLeast: 0, people: 1 });
});

it('tells the operator after a restore until when all is safe, and not what the restored database lacks of it, nor what only the lost one had', async () => {
  const { timeline, head } = await position();
  const at = harness.now();
  await startNewTimeline(harness.db.sql);
  const record = (version: bigint, by: string) =>
    sql`insert into sync_safe (state, by, timeline, version, at)
    values ('safe', ${by}, ${timeline}, ${version}, ${at}) on conflict (state) do update
    set by = excluded.by, version = excluded.version`.execute(harness.db.sql);
  const safeSince = async (by: 'backup' | 'standby' | 'archive') =>
    (await readSafety(harness.db, harness.now(), by)).safeSince;
  for (const by of ['backup', 'archive'] as const) {
    await record(BigInt(head), by);
    expect(await safeSince(by)).toEqual(at);
  }
  await record(BigInt(head) + 1n, 'backup');
  expect(await safeSince('backup')).toBe(null);
  // It is the standby that was promoted.
  await record(BigInt(head), 'standby');
  expect(await safeSince('standby')).toBe(null);
});
