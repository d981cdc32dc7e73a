import { sql } from 'kysely';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { User } from '../../shared/tables/index.ts';
import { must } from '../../shared/lib/must.ts';
import { makeReference, makeUser } from '../../shared/testing/make.ts';
import type { Database } from '../db/database.ts';
import { noticeRestore } from '../db/notice-restore.ts';
import { openPostgres } from '../db/open-postgres.ts';
import { insertRows } from '../db/write-rows.ts';
import { openSync, type Sync } from '../open-sync.ts';
import { databaseProbes } from '../ops/health/probes.ts';
import { createSqlStore } from '../store/sql-store.ts';
import { createPoster } from '../testing/posting-device.ts';
import { postgresWithTools } from '../testing/postgres-with-tools.ts';
import { startReplication, type Replication } from '../testing/start-replication.ts';
import { askExchange, categoryId, locationId, post } from '../testing/sync-harness.ts';
import { openWire, type Wire } from '../testing/wire.ts';
import { unpackCookie } from './cookie.ts';
import { createExchange } from './exchange.ts';

/*
 * Fail-over to a standby of PostgreSQL's own streaming replication. The double here is the device: it keeps what was
 * acknowledged and sends it again by the rules of S13, without a disk. The product's own device is the simulator's.
 */

const tools = postgresWithTools();
const isCi = ['true', '1'].includes(process.env['CI'] ?? '');
const timesEach = process.env['TEST_LONG'] === '1' ? 10 : 1;

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const warn = vi.fn();
const log = { debug: vi.fn(), info: vi.fn(), warn, error: vi.fn(), fatal: vi.fn() } as never;

interface Server {
  database: Database;
  sync: Sync;
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
  warn.mockClear();
});

async function openServer(url: string): Promise<Server> {
  // Shorter than in the product, so that the test is fast.
  const database = await openPostgres({
    url,
    poolSize: 5,
    answer: { statement: 8_000, trivial: 2_000 },
    connectionLife: 3,
  });
  const sync = await openSync({
    database,
    clock: () => new Date(),
    log,
    verifyToken: async (userId) => ({ userId, email: '' }),
    anonKey: '',
    closing: new AbortController().signal,
  });
  closing.push(async () => {
    await sync.close();
    await database.close();
  });
  return { database, sync };
}

/** A pair of PostgreSQL, a server that reaches the primary by an address that can be moved, and people. */
async function openHarness(synchronous: boolean, people: number) {
  const pair = await startReplication({ native: must(tools, 'tools').native, synchronous });
  closing.push(() => pair.close());
  const wire = await openWire(pair.primary.url);
  closing.push(() => wire.close());
  const first = await openPostgres({ url: pair.primary.url });
  await first.migrate();
  await noticeRestore(first, log);
  const users = Array.from({ length: people }, () => makeUser());
  await insertRows(first.sql, 'users', users);
  await insertRows(first.sql, 'reference', [
    makeReference({ id: categoryId }),
    makeReference({ id: locationId, kind: 'location', region: 'Southland' }),
  ]);
  await first.close();
  return { pair, wire, users, ...(await openServer(wire.url)) };
}

async function promote(pair: Replication, wire: Wire): Promise<void> {
  wire.cut();
  await pair.primary.kill();
  await pair.standby.promote();
  wire.lead(pair.standby.url);
  wire.mend();
}

async function missingIn(url: string, uids: Iterable<string>): Promise<number> {
  const database = await openPostgres({ url });
  const { rows } = await sql<{ uid: string }>`select uid from sync_mutation where status = 'applied'`.execute(
    database.sql,
  );
  await database.close();
  const there = new Set(rows.map(({ uid }) => uid));
  return [...uids].filter((uid) => !there.has(uid)).length;
}

const timelineOf = async ({ database }: Server) =>
  (await sql<{ lineage: string }>`select lineage from sync_meta`.execute(database.sql)).rows[0]!.lineage;

test.skipIf(tools === undefined && !isCi)('this machine has the programs of PostgreSQL that a fail-over needs', () => {
  expect(tools, 'install PostgreSQL (apt-get install postgresql)').toBeDefined();
});

describe.skipIf(tools === undefined)('a primary that is killed under load, and its standby promoted', () => {
  test.each(Array.from({ length: timesEach }, (_, at) => at + 1))(
    '[I3] with a synchronous standby nothing that was acknowledged is missing, before any phone sends again (%i)',
    async () => {
      const harness = await openHarness(true, 3);
      const { pair, wire, users, sync } = harness;
      const before = await timelineOf(harness);
      const posters = users.map((user) => createPoster(harness, user));
      const counted = () => posters.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
      let isOver = false;
      const loads = posters.map((poster) => poster.postUntil(() => isOver));
      await vi.waitFor(() => expect(counted()).toBeGreaterThan(30), { timeout: 60_000, interval: 5 });
      // While answers are on their way.
      await pair.primary.kill();
      const uids = new Set(posters.flatMap(({ acknowledged }) => [...acknowledged]));
      await promote(pair, wire);
      isOver = true;
      expect(await missingIn(pair.standby.url, uids)).toBe(0);
      await Promise.all(loads);
      await Promise.all(posters.map((poster) => poster.drain()));
      expect(await timelineOf(harness)).not.toBe(before);
      await vi.waitFor(() => expect(sync.poke.seen()?.timeline).not.toBe(before), { timeout: 30_000 });
      const { rows } = await sql<{ posted: number }>`select count(*)::int as posted from jobs`.execute(
        harness.database.sql,
      );
      expect(rows[0]!.posted).toBe(counted());
    },
  );

  test.each(Array.from({ length: timesEach }, (_, at) => at + 1))(
    '[I3][I1] with an asynchronous standby the phones bring back what is missing, once each (%i)',
    async () => {
      const harness = await openHarness(false, 3);
      const { pair, wire, users } = harness;
      const posters = users.map((user) => createPoster(harness, user));
      const counted = () => posters.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
      let isOver = false;
      const loads = posters.map((poster) => poster.postUntil(() => isOver));
      await vi.waitFor(() => expect(counted()).toBeGreaterThan(20), { timeout: 60_000, interval: 5 });
      await pair.stop();
      const then = counted();
      await vi.waitFor(() => expect(counted()).toBeGreaterThan(then + 20), { timeout: 60_000, interval: 5 });
      await promote(pair, wire);
      isOver = true;
      const uids = new Set(posters.flatMap(({ acknowledged }) => [...acknowledged]));
      expect(await missingIn(pair.standby.url, uids)).toBeGreaterThan(0);
      await Promise.all(loads);
      await Promise.all(posters.map((poster) => poster.drain()));
      expect(await missingIn(pair.standby.url, uids)).toBe(0);
      const { rows } = await sql<{ posted: number }>`select count(*)::int as posted from jobs`.execute(
        harness.database.sql,
      );
      expect(rows[0]!.posted).toBe(counted());
    },
  );

  test('[S13][I2] what a phone made since is not decided before what it sends again, also where it asks first of all', async () => {
    const harness = await openHarness(false, 1);
    const { pair, wire, users } = harness;
    const [user] = users as [User];
    const poster = createPoster(harness, user);
    poster.add();
    await poster.drain();
    await pair.stop();
    poster.add();
    await poster.drain();
    await harness.sync.close();
    await promote(pair, wire);
    // A server that has not read the head yet.
    const store = createSqlStore(harness.database);
    const exchange = createExchange({ store, clock: () => new Date(), log });
    const cookie = must(poster.cookie(), 'cookie');
    const journal = [unpackCookie(cookie)!.l];
    const later = post();
    expect(await askExchange(exchange, user, { cookie, journal, mutations: [later] })).toMatchObject({
      kind: 'reset',
      reason: 'lineage',
    });
    const { rows } = await sql`select from jobs where id = ${later.args.id}`.execute(harness.database.sql);
    expect(rows).toHaveLength(0);
  });

  test('[S5] one that comes back is refused, and not ready, until the address leads to the promoted one again', async () => {
    const harness = await openHarness(false, 1);
    const { pair, wire, users, database } = harness;
    const poster = createPoster(harness, users[0]!);
    poster.add();
    await poster.drain();
    await promote(pair, wire);
    await poster.drain();
    await pair.primary.start();
    wire.lead(pair.primary.url);
    wire.cut();
    wire.mend();
    poster.add();
    await vi.waitFor(
      async () => {
        await expect(poster.exchange()).rejects.toMatchObject({ name: 'TimelineEnded' });
      },
      { timeout: 30_000, interval: 100 },
    );
    // Nothing that asks the database reaches it, whatever it is for.
    await expect(sql`select from jobs`.execute(database.sql)).rejects.toMatchObject({ name: 'TimelineEnded' });
    const [readiness] = databaseProbes(database);
    await expect(readiness!.ask(new AbortController().signal)).rejects.toMatchObject({
      message: expect.stringContaining('earlier'),
    });
    wire.lead(pair.standby.url);
    wire.cut();
    wire.mend();
    await poster.drain();
    expect(await missingIn(pair.standby.url, poster.acknowledged)).toBe(0);
    expect(await missingIn(pair.primary.url, poster.acknowledged)).toBe(1);
  });

  test('[S14] one that comes back is refused also by servers that were started since and have only ever reached it', async () => {
    const harness = await openHarness(false, 1);
    const { pair, wire, users } = harness;
    const [user] = users as [User];
    const poster = createPoster(harness, user);
    poster.add();
    await poster.drain();
    await promote(pair, wire);
    await poster.drain();
    const cookie = must(poster.cookie(), 'cookie');
    await pair.primary.start();
    const restarted = await openServer(pair.primary.url);
    const later = post();
    await expect(askExchange(restarted.sync.exchange, user, { cookie, mutations: [later] })).rejects.toMatchObject({
      name: 'TimelineEnded',
    });
    await expect(openServer(pair.primary.url)).rejects.toMatchObject({ name: 'TimelineEnded' });
    const taken = await openPostgres({ url: pair.primary.url, mayBeSuperseded: true });
    closing.push(() => taken.close());
    expect((await sql`select from jobs where id = ${later.args.id}`.execute(taken.sql)).rows).toHaveLength(0);
  });

  test('[S5] a server that is idle, whose connections all lead to the former primary still, finds out that another was promoted', async () => {
    const harness = await openHarness(false, 1);
    const { pair, wire, users, database } = harness;
    const poster = createPoster(harness, users[0]!);
    poster.add();
    await poster.drain();
    const before = await timelineOf(harness);
    // A switch-over that leaves the former primary running and every connection to it open.
    await pair.standby.promote();
    const other = await openServer(pair.standby.url);
    await vi.waitFor(() => expect(other.sync.poke.seen()?.timeline).not.toBe(undefined), { timeout: 30_000 });
    wire.lead(pair.standby.url);
    await vi.waitFor(async () => expect(await timelineOf(harness)).not.toBe(before), {
      timeout: 90_000,
      interval: 500,
    });
    // All of them, the listening one too.
    const here = await Promise.all(
      Array.from({ length: 5 }, () =>
        sql<{ lineage: string }>`select lineage, pg_sleep(0.1) from sync_meta`.execute(database.sql),
      ),
    );
    expect(here.map(({ rows }) => rows[0]!.lineage)).not.toContain(before);
    const onPrimary = await openPostgres({ url: pair.primary.url });
    await vi.waitFor(
      async () => {
        const { rows } = await sql<{ ours: number }>`select count(*)::int as ours from pg_stat_activity
          where application_name like 'dwang%' and pid <> pg_backend_pid()`.execute(onPrimary.sql);
        expect(rows[0]!.ours).toBe(0);
      },
      { timeout: 60_000, interval: 500 },
    );
    await onPrimary.close();
  });
});
