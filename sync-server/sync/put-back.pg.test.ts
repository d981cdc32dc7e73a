import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeReference, makeUser } from '../../shared/testing/make.ts';
import type { SentMutation } from '../../shared/protocol/exchange.ts';
import type { User } from '../../shared/tables/index.ts';
import type { Database } from '../db/database.ts';
import { startNewTimeline, type Timeline } from '../db/new-timeline.ts';
import { noticeRestore } from '../db/notice-restore.ts';
import { createSqlStore } from '../store/sql-store.ts';
import { openPostgres } from '../db/open-postgres.ts';
import { insertRows } from '../db/write-rows.ts';
import { startPostgres, type FileCopy, type Postgres } from '../testing/start-postgres.ts';
import { categoryId, locationId, openSyncHarness, post, type SyncHarness } from '../testing/sync-harness.ts';
import { databases } from '../testing/test-db.ts';
import { unpackCookie } from './cookie.ts';
import { openSync, type Sync } from '../open-sync.ts';

const timelineOf = async (of: Database) =>
  (await sql<{ lineage: string }>`select lineage from sync_meta`.execute(of.sql)).rows[0]!.lineage;
/** The newest timeline, as the database tells it. */
const begunIn = async (of: Database) =>
  (
    await sql<Timeline>`select lineage as timeline, previous, point from sync_timeline order by first desc limit 1`.execute(
      of.sql,
    )
  ).rows[0];
const warn = vi.fn();
const log = { debug: vi.fn(), info: vi.fn(), warn, error: vi.fn(), fatal: vi.fn() } as never;
const closing = new AbortController();
const openOn = (database: Database) =>
  openSync({
    database,
    clock: () => new Date(),
    log,
    verifyToken: async (userId) => ({ userId, email: '' }),
    anonKey: '',
    closing: closing.signal,
  });

let harness: SyncHarness;
let person: User;
beforeEach(() => void warn.mockClear());

/** As a device retries, until the server has reached its database again. */
const ask = (sync: Sync, cookie: string | null, mutations: SentMutation[] = []) =>
  vi.waitFor(() => harness.ask(person, { cookie, mutations }, sync.exchange), { timeout: 30_000, interval: 20 });

/* [S5] A restore under running servers: they answer on the new timeline, from the first answer on. */
describe('PostgreSQL restored under two running servers', () => {
  let postgres: Postgres;
  let copy: FileCopy;
  let instances: { database: Database; sync: Sync }[];
  let headOfCopy: string;
  beforeEach(async () => {
    harness = await openSyncHarness('pglite');
    postgres = await startPostgres({ isDurable: false });
    const url = postgres.urlOf('postgres');
    const first = await openPostgres({ url });
    await first.migrate();
    await noticeRestore(first, log);
    person = makeUser();
    await insertRows(first.sql, 'users', [person]);
    await insertRows(first.sql, 'reference', [
      makeReference({ id: categoryId }),
      makeReference({ id: locationId, kind: 'location', region: 'Southland' }),
    ]);
    headOfCopy = await createSqlStore(first).single.readHead();
    await first.close();
    copy = await postgres.copyFiles();
    instances = await Promise.all(
      [1, 2].map(async () => {
        const database = await openPostgres({ url });
        return { database, sync: await openOn(database) };
      }),
    );
  });
  afterEach(async () => {
    for (const { sync, database } of instances) {
      await sync.close();
      await database.close();
    }
    await postgres.stop();
    await harness.close();
  });

  it.each(['as they are', 'by a recovery'] as const)(
    'from copied files, %s: no server answers or decides on the old timeline, one new one begins at the point of the copy, every device is poked',
    async (how) => {
      const [one, other] = [instances[0]!, instances[1]!];
      const before = await timelineOf(one.database);
      for (const name of ['Lost', 'Lost too'])
        await sql`update users set first_name = ${name} where id = ${person.id}`.execute(one.database.sql);
      const answer = await harness.ask(person, {}, one.sync.exchange);
      const cookie = answer.kind === 'delta' ? answer.cookie : '';
      const reached = unpackCookie(cookie)!.v;
      await vi.waitFor(
        () => expect([one.sync.poke.headVersion(), other.sync.poke.headVersion()]).toEqual([reached, reached]),
        30_000,
      );
      const onPoke = vi.fn();
      await other.sync.poke.connect({ userId: person.id, since: reached, onPoke });

      await copy.restore(how);
      if (how === 'by a recovery') {
        // The row was written before any server read the head: the first commit begins the timeline.
        const beside = await openPostgres({ url: postgres.urlOf('postgres') });
        for (const name of ['A', 'B', 'C', 'D'])
          await sql`update users set first_name = ${name} where id = ${person.id}`.execute(beside.sql);
        await beside.close();
      }
      // What is asked first also brings a change: it must take no number of the timeline that was lost.
      const mutations = [post()];
      expect(await ask(one.sync, cookie, mutations)).toEqual({ kind: 'reset', reason: 'lineage' });
      expect(await ask(other.sync, cookie)).toEqual({ kind: 'reset', reason: 'lineage' });
      await vi.waitFor(() => expect(onPoke).toHaveBeenCalled(), 30_000);
      const after = await timelineOf(other.database);
      expect(after).not.toBe(before);
      await vi.waitFor(
        () => expect([one.sync.poke.seen()?.timeline, other.sync.poke.seen()?.timeline]).toEqual([after, after]),
        30_000,
      );
      expect(await begunIn(one.database)).toEqual({ timeline: after, previous: before, point: headOfCopy });
      const { rows: posted } = await sql`select from jobs`.execute(one.database.sql);
      expect(posted).toHaveLength(1);
      const { rows } = await sql`select from sync_timeline`.execute(one.database.sql);
      expect(rows).toHaveLength(1);
      expect(warn.mock.calls.map(([, words]) => String(words))).toContain(
        how === 'as they are'
          ? 'the database was restored or has moved: every device begins anew, and sends what came after the point'
          : 'the database has another timeline',
      );
    },
    120_000,
  );
});

describe.each(databases)('a new timeline on %s under a running server', (kind) => {
  let sync: Sync;
  beforeEach(async () => {
    harness = await openSyncHarness(kind);
    person = await harness.homeowner();
    sync = await openOn(harness.db);
    await vi.waitUntil(() => sync.poke.freshHead() !== undefined, 30_000);
  });
  afterEach(async () => {
    await sync.close();
    await harness.close();
  });

  it('is noticed at once where an operator begins it, and nothing is answered from the memory of the old one', async () => {
    const answer = await ask(sync, null);
    const cookie = answer.kind === 'delta' ? answer.cookie : '';
    const onPoke = vi.fn();
    await sync.poke.connect({ userId: person.id, since: sync.poke.headVersion(), onPoke });
    await harness.db.transaction((sql) => startNewTimeline(sql));
    await vi.waitFor(() => expect(onPoke).toHaveBeenCalled(), { timeout: 10_000 });
    expect(await ask(sync, cookie)).toEqual({ kind: 'reset', reason: 'lineage' });
  });

  it('begins where this server has seen a later version than there is', async () => {
    const answer = await ask(sync, null);
    const cookie = answer.kind === 'delta' ? answer.cookie : '';
    const before = await timelineOf(harness.db);
    await sql`delete from sync_change where version = ${unpackCookie(cookie)!.v}`.execute(harness.db.sql);
    await sql`select pg_notify('sync', '')`.execute(harness.db.sql);
    await vi.waitFor(async () => expect(await timelineOf(harness.db)).not.toBe(before), { timeout: 10_000 });
    expect(await ask(sync, cookie)).toEqual({ kind: 'reset', reason: 'lineage' });
  });
});
