import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestApp, type TestApp } from '../testing/test-app.ts';
import { openTestDb, type TestDatabase } from '../testing/test-db.ts';
import { openWire, type Wire } from '../testing/wire.ts';
import type { Database } from './database.ts';
import { isTransient } from './is-transient.ts';
import { openPostgres } from './open-postgres.ts';

// Much shorter than in the product, so that the test is fast: which connection is given up, and when it is used again,
// is the same.
const answer = { statement: 2_000, trivial: 500, unused: 50 };
const listening = { pulse: 50, answer: 500 };
const poolSize = 10;

let real: TestDatabase;
let wire: Wire;
let database: Database;
let app: TestApp;
beforeEach(async () => {
  real = await openTestDb('postgres');
  wire = await openWire(real.url ?? '');
  database = await openPostgres({ url: wire.url, poolSize, answer, listening });
  app = await openTestApp({ database });
});
afterEach(async () => {
  await app.close();
  await database.close();
  await wire.close();
  await real.close();
});

/** All connections of the pool at once. */
const useAll = () =>
  Promise.all(Array.from({ length: poolSize }, () => sql`select pg_sleep(0.05)`.execute(database.sql)));
const areasOf = () => app.call('/api/locations');

describe('connections of the pool that went silent', () => {
  it('S10: ten of them, where new ones are whole, cost some requests a 503, and then every request is answered', async () => {
    await useAll();
    wire.silence();
    wire.mend();
    await expect
      .poll(async () => (await Promise.all(Array.from({ length: poolSize }, areasOf))).map(({ status }) => status), {
        timeout: 60_000,
      })
      .toEqual(Array(poolSize).fill(200));
  });

  it('S12: a database that swallows every question makes 503 with Retry-After, and readiness says so, until it answers again', async () => {
    await useAll();
    wire.silence();
    const refused = await areasOf();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    expect((await app.call('/health/ready')).status).toBe(503);
    wire.mend();
    await expect
      .poll(async () => [(await areasOf()).status, (await app.call('/health/ready')).status], { timeout: 60_000 })
      .toEqual([200, 200]);
  });

  it('S10: a question in the middle of a transaction is given up as well, and its place in the pool is free again', async () => {
    const failed = Array.from({ length: poolSize + 1 }, () =>
      database.transaction(async (tx) => {
        await sql`select 1`.execute(tx);
        wire.silence();
        await sql`select 2`.execute(tx);
      }),
    );
    for (const one of await Promise.allSettled(failed))
      expect(one).toMatchObject({ status: 'rejected', reason: expect.toSatisfy(isTransient) as unknown });
    wire.mend();
    await expect
      .poll(
        () =>
          useAll().then(
            () => true,
            () => false,
          ),
        { timeout: 60_000 },
      )
      .toBe(true);
  });
});

describe('a listening connection', () => {
  const heard: string[] = [];
  const isProved = () => (database.listenState()?.ageMs ?? Infinity) < Infinity;
  beforeEach(async () => {
    heard.length = 0;
    await database.listen('news', (payload) => void heard.push(payload));
    await vi.waitUntil(isProved, 30_000);
  });
  const say = (what: string) => sql`select pg_notify('news', ${what})`.execute(real.sql);

  it('S10: is dead when it answers nothing, and says "anything may have happened" once another one listens', async () => {
    wire.silence('dwang listen');
    await say('unheard');
    await expect.poll(isProved).toBe(false);
    wire.mend();
    await expect.poll(isProved, { timeout: 60_000 }).toBe(true);
    expect(heard).toEqual(['']);
    await say('heard');
    await expect.poll(() => heard).toEqual(['', 'heard']);
  });

  it('S10: is dead when it answers questions and delivers no notices', async () => {
    wire.holdNotices();
    await say('unheard');
    await expect.poll(isProved).toBe(false);
    wire.mend();
    await expect.poll(() => heard, { timeout: 60_000 }).toContain('');
    await expect.poll(isProved).toBe(true);
  });
});

describe('a database that takes no writes', () => {
  const setReadOnly = async (to: 'on' | 'off') => {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(real.sql);
    await sql`alter database ${sql.ref(rows[0]!.name)} set default_transaction_read_only = ${sql.raw(to)}`.execute(
      real.sql,
    );
  };
  const write = () => sql`update sync_meta set tombstone_floor = tombstone_floor`.execute(database.sql);

  it('S12: is "not now", readiness says so, and connections that were opened meanwhile are not kept', async () => {
    await setReadOnly('on');
    await expect(write()).rejects.toSatisfy(isTransient);
    expect(await (await app.call('/health/ready')).json()).toMatchObject({
      details: { reasons: ['database: it takes no writes: it is read-only'] },
    });
    expect((await areasOf()).status).toBe(200);
    await setReadOnly('off');
    // Sessions keep the setting they began with: each is found out once.
    await expect.poll(async () => (await app.call('/health/ready')).status).toBe(200);
    await expect
      .poll(() =>
        write().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
  });

  it('S12: is said to be full for as long as writes find it so', async () => {
    await sql`create function fill() returns void language plpgsql as $$ begin raise exception 'no room' using errcode = '53100'; end $$`.execute(
      real.sql,
    );
    await expect(sql`select fill()`.execute(database.sql)).rejects.toSatisfy(isTransient);
    expect(await (await app.call('/health/ready')).json()).toMatchObject({
      details: { reasons: ['database: it takes no writes: its disk is full'] },
    });
  });
});
