import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Delta, ExchangeAnswer } from '../../shared/protocol/exchange.ts';
import type { User } from '../../shared/tables/index.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import type { Database } from '../db/database.ts';
import { startTimelineApart, startNewTimeline } from '../db/new-timeline.ts';
import { noticeLater, noticeRestore } from '../db/notice-restore.ts';
import { createSqlStore } from '../store/sql-store.ts';
import { copyDatabase, type DatabaseCopy } from '../testing/copy-database.ts';
import { openSyncHarness, post, type SyncHarness } from '../testing/sync-harness.ts';
import { usualDatabase } from '../testing/test-db.ts';
import { packCookie, unpackCookie } from './cookie.ts';
import { createExchange, type Exchange } from './exchange.ts';

/*
 * What a database cannot see of itself: that it was put back while no server ran, or that its standby was promoted. A
 * device shows it, by a cookie that the database's own later timeline has signed (S14). Each server here has only just
 * started: it has seen nothing.
 */
describe.each(usualDatabase)('a database that a device has seen more of, on %s', (kind) => {
  let harness: SyncHarness;
  let owner: User;
  let copies: DatabaseCopy;
  let copy: Database;
  const serverOver = (database: Database): Exchange =>
    createExchange({ ...harness.parts, store: createSqlStore(database) });
  const delta = (answer: ExchangeAnswer): Delta => {
    if (answer.kind !== 'delta') throw new Error(`reset: ${answer.reason}`);
    return answer;
  };
  const timelineOf = async (of: Database) =>
    (await sql<{ lineage: string }>`select lineage from sync_meta`.execute(of.sql)).rows[0]!.lineage;
  const laterVersionIn = async (of: Database) =>
    (await of.sql.selectFrom('sync_meta').select('later_version').executeTakeFirstOrThrow()).later_version;
  const jobsIn = async (of: Database) => (await of.sql.selectFrom('jobs').select('id').execute()).map(({ id }) => id);

  beforeEach(async () => {
    harness = await openSyncHarness(kind);
    owner = await harness.homeowner();
    await harness.ask(owner, { mutations: [post()] });
    copies = await copyDatabase(harness.db);
    copy = await copies.open();
  });
  afterEach(async () => {
    await copies.discard();
    await harness.close();
  });

  it('[S14][I3] was put back while no server ran: it begins a new timeline before it decides, and asks for all that devices keep', async () => {
    const before = await timelineOf(harness.db);
    const forgotten = post();
    const { cookie } = delta(await harness.ask(owner, { mutations: [forgotten] }));
    const server = serverOver(copy);
    const later = post();
    const answer = await harness.ask(owner, { cookie, journal: [before], mutations: [later] }, server);
    const begun = await timelineOf(copy);
    expect(begun).not.toBe(before);
    expect(answer).toMatchObject({
      kind: 'reset',
      reason: 'lineage',
      journal: { timeline: begun, known: { [before]: '0' } },
    });
    expect(await jobsIn(copy)).not.toContain(later.args.id);
    // It keeps its uid, and is decided as the first time.
    const from = { timeline: before, version: unpackCookie(cookie)!.v };
    await harness.ask(owner, { journal: [begun], mutations: [{ ...forgotten, from }, later] }, server);
    expect(await jobsIn(copy)).toEqual(expect.arrayContaining([forgotten.args.id, later.args.id]));
    expect(await timelineOf(copy)).toBe(begun);
  });

  it('[S14] was put back, and an invented cookie says so: nothing begins', async () => {
    const before = await timelineOf(copy);
    const cookie = unpackCookie(delta(await harness.ask(owner)).cookie)!;
    for (const invented of [
      { ...cookie, v: String(BigInt(cookie.v) + 1n) },
      { ...cookie, v: String(BigInt(cookie.v) + 1n), k: undefined },
      { ...cookie, v: String(BigInt(cookie.v) + 1n), k: 'é'.repeat(22) },
      { ...cookie, l: '019312d0-0000-7000-8000-000000000000', v: String(BigInt(cookie.v) + 1n) },
    ])
      expect(await harness.ask(owner, { cookie: packCookie(invented) }, serverOver(copy))).toMatchObject({
        kind: 'reset',
      });
    expect(await timelineOf(copy)).toBe(before);
  });

  it('[S14] has a later timeline elsewhere: no server uses it any more, also one that starts later, until it is taken into use', async () => {
    // The promoted standby, and what a device learnt there.
    await startNewTimeline(harness.db.sql);
    const { cookie } = delta(await harness.ask(owner, { mutations: [post()] }));
    const server = serverOver(copy);
    const lost = post();
    await expect(harness.ask(owner, { cookie, mutations: [lost] }, server)).rejects.toMatchObject({
      name: 'TimelineEnded',
    });
    await expect(sql`select from jobs`.execute(copy.sql)).rejects.toMatchObject({ name: 'TimelineEnded' });
    // Another device, which knows of nothing.
    await expect(harness.ask(owner, { mutations: [lost] }, server)).rejects.toMatchObject({ name: 'TimelineEnded' });
    const again = await copies.open();
    await expect(noticeRestore(again, harness.parts.log)).rejects.toMatchObject({ name: 'TimelineEnded' });
    const taken = await copies.open({ mayBeSuperseded: true });
    await startNewTimeline(taken.sql);
    expect(await jobsIn(taken)).not.toContain(lost.args.id);
    expect(await noticeRestore(taken, harness.parts.log)).toBe(false);
    expect(delta(await harness.ask(owner, {}, serverOver(taken))).kind).toBe('delta');
    expect(BigInt(unpackCookie(delta(await harness.ask(owner, {}, serverOver(taken))).cookie)!.v)).toBeGreaterThan(
      BigInt(unpackCookie(cookie)!.v),
    );
  });

  it('[S14] has a later timeline elsewhere, which a device has loaded the first page of: it is not answered as the old timeline', async () => {
    const point = unpackCookie(delta(await harness.ask(owner)).cookie)!.v;
    await startNewTimeline(harness.db.sql);
    await harness.ask(owner, { mutations: [post()] });
    const inPages = createExchange({ ...harness.parts, store: createSqlStore(harness.db), pageSize: 1 });
    const { cookie, more } = delta(await harness.ask(owner, {}, inPages));
    // The page is of an old version: only the head of then tells the new timeline from the old one.
    expect([more, BigInt(unpackCookie(cookie)!.v) <= BigInt(point)]).toEqual([true, true]);
    await expect(harness.ask(owner, { cookie }, serverOver(copy))).rejects.toMatchObject({ name: 'TimelineEnded' });
  });

  it('[S14] has a later timeline elsewhere, and was taken into use between the question and the record: it stays in use', async () => {
    const read = await timelineOf(copy);
    const later = { timeline: makeTestId(), head: '8000000000000000' };
    await startNewTimeline(copy.sql);
    await expect(noticeLater(copy, harness.parts.log, later, read)).rejects.toMatchObject({ name: 'DatabaseRestored' });
    const now = await timelineOf(copy);
    await expect(noticeLater(copy, harness.parts.log, { ...later, head: '1' }, now)).rejects.toMatchObject({
      name: 'DatabaseRestored',
    });
    expect(await laterVersionIn(copy)).toBeNull();
    expect(await noticeRestore(copy, harness.parts.log)).toBe(false);
    expect(delta(await harness.ask(owner, {}, serverOver(copy))).kind).toBe('delta');
  });

  it('[S14] has a later timeline elsewhere, as two servers learn of two devices: the higher version is kept', async () => {
    const timeline = await timelineOf(copy);
    const other = await copies.open();
    expect(await timelineOf(other)).toBe(timeline);
    const later = { timeline: makeTestId(), head: '8000000000000000' };
    await expect(noticeLater(copy, harness.parts.log, later, timeline)).rejects.toMatchObject({
      name: 'TimelineEnded',
    });
    const lower = { ...later, head: '7000000000000000' };
    await expect(noticeLater(other, harness.parts.log, lower, timeline)).rejects.toMatchObject({
      name: 'TimelineEnded',
    });
    expect(await laterVersionIn(await copies.open({ mayBeSuperseded: true }))).toBe(later.head);
  });

  it('[S14] came after a timeline that began by a fast clock: its cookies are ahead, and are reset', async () => {
    await startNewTimeline(harness.db.sql);
    const backup = await copyDatabase(harness.db);
    const restored = await backup.open();
    await sql`select setval('sync_version', last_value + 7200000000) from sync_version`.execute(harness.db.sql);
    const { cookie } = delta(await harness.ask(owner, { mutations: [post()] }));
    await startNewTimeline(restored.sql);
    expect(BigInt(unpackCookie(cookie)!.v)).toBeGreaterThan(
      BigInt(unpackCookie(delta(await harness.ask(owner, {}, serverOver(restored))).cookie)!.v),
    );
    expect(await harness.ask(owner, { cookie }, serverOver(restored))).toEqual({ kind: 'reset', reason: 'lineage' });
    expect(await laterVersionIn(restored)).toBeNull();
    await backup.discard();
  });

  it('[S14] lives on its own beside the original: what either of them tells a device stops neither', async () => {
    const apart = (await startTimelineApart(copy.sql)).timeline;
    expect(await timelineOf(copy)).toBe(apart);
    const ofOriginal = delta(await harness.ask(owner)).cookie;
    const ofCopy = delta(await harness.ask(owner, { mutations: [post()] }, serverOver(copy))).cookie;
    expect(BigInt(unpackCookie(ofCopy)!.v)).toBeGreaterThan(BigInt(unpackCookie(ofOriginal)!.v));
    expect(await harness.ask(owner, { cookie: ofCopy })).toEqual({ kind: 'reset', reason: 'lineage' });
    // And once the original has come further than the copy.
    await startNewTimeline(harness.db.sql);
    const later = delta(await harness.ask(owner, { mutations: [post()] })).cookie;
    expect(await harness.ask(owner, { cookie: later }, serverOver(copy))).toEqual({ kind: 'reset', reason: 'lineage' });
    expect(await laterVersionIn(harness.db)).toBeNull();
    expect(await laterVersionIn(copy)).toBeNull();
  });

  it('[S14] was restored from a backup of before another restore: cookies of that one are reset, and it is used', async () => {
    await startNewTimeline(harness.db.sql);
    const { cookie } = delta(await harness.ask(owner, { mutations: [post()] }));
    await startNewTimeline(copy.sql);
    expect(await harness.ask(owner, { cookie }, serverOver(copy))).toEqual({ kind: 'reset', reason: 'lineage' });
    expect(await jobsIn(copy)).toHaveLength(1);
  });
});
