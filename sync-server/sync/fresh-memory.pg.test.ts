import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { User } from '../../shared/tables/index.ts';
import type { ListenState } from '../db/database.ts';
import { openPostgres } from '../db/open-postgres.ts';
import { writable } from '../db/write-rows.ts';
import { createSqlStore } from '../store/sql-store.ts';
import type { SyncStore } from '../store/sync-store.ts';
import { openSyncHarness, type SyncHarness } from '../testing/sync-harness.ts';
import { watchedStore } from '../testing/watched-store.ts';
import { openWire, type Wire } from '../testing/wire.ts';
import { createExchange, maxRememberedMs } from './exchange.ts';
import { createActorCache } from './actor-cache.ts';
import { openPoke, freshness, type Poke } from './poke.ts';

let harness: SyncHarness;
let poke: Poke;
let hearing: ListenState | undefined;
/** Questions that reached the database. */
let asked: number;
/** PostgreSQL without its notices: a listening connection that reports what the test wants, and delivers nothing. */
let deaf: SyncStore;
beforeEach(async () => {
  harness = await openSyncHarness('postgres');
  hearing = { connection: 1, ageMs: 0 };
  asked = 0;
  deaf = watchedStore(
    {
      ...harness.parts.store,
      hearing: () => hearing,
      listen: (onCommit) => {
        look = onCommit;
        return Promise.resolve(() => Promise.resolve());
      },
    },
    () => void (asked += 1),
  );
  poke = openPoke({ store: deaf, clock: harness.now, log: harness.parts.log });
});
let look: () => void = () => undefined;
afterEach(async () => {
  await poke.close();
  await harness.close();
});

async function start(): Promise<void> {
  await poke.start();
  const head = await harness.parts.store.single.readHead();
  await vi.waitUntil(() => poke.freshHead() === head, 30_000);
}

it('S10: memory counts only while notices are proved to arrive and the head was read recently', async () => {
  await harness.homeowner();
  await start();
  const head = poke.freshHead();
  for (const broken of [
    undefined,
    { connection: 1, ageMs: freshness.proof + 1 },
    { connection: 1, ageMs: Infinity },
    { connection: 2, ageMs: 0 },
  ]) {
    hearing = broken;
    expect([poke.freshHead(), poke.memory().isFresh]).toEqual([undefined, false]);
    hearing = { connection: 1, ageMs: 0 };
    expect(poke.freshHead()).toBe(head);
  }
  harness.pass(freshness.head + 1);
  expect(poke.memory()).toEqual({ isFresh: false, headAgeMs: freshness.head + 1, proofAgeMs: 0 });
  // Another connection, from which on every notice arrives again: after one read it counts.
  hearing = { connection: 2, ageMs: 0 };
  look();
  await expect.poll(() => poke.freshHead()).toBe(head);
});

it('S10: a person whose subscription ended while this instance received no notices keeps neither the feed nor "nothing new"', async () => {
  const { user } = await harness.tradie();
  await start();
  const exchange = createExchange({ ...harness.parts, store: deaf, headVersion: poke.freshHead });
  const find = createActorCache({ store: deaf, clock: harness.now, poke });
  const device = harness.device(user, exchange);
  await device.sync();
  await find(user.id);
  const before = asked;
  await device.sync();
  await find(user.id);
  expect(asked).toBe(before);

  await writable(harness.db.sql)
    .updateTable('users')
    .set({ subscription_status: 'canceled' })
    .where('id', '=', user.id)
    .execute();
  // Notices are lost, and that is not known yet: cached values are answered, and for no longer than a proof lasts.
  hearing = { connection: 1, ageMs: freshness.proof };
  await device.sync();
  expect(device.answers.at(-1)).toMatchObject({ kind: 'delta' });
  hearing = { connection: 1, ageMs: freshness.proof + 1 };
  await device.sync();
  expect(device.answers.at(-2)).toEqual({ kind: 'reset', reason: 'view' });
  expect((await find(user.id))?.subscriptionStatus).toBe('canceled');
});

it('S10: cached rights live a minute at most, whatever notices arrive', async () => {
  const { user } = await harness.tradie();
  await start();
  const exchange = createExchange({ ...harness.parts, store: deaf, headVersion: poke.freshHead, seen: poke.seen });
  const find = createActorCache({ store: deaf, clock: harness.now, poke });
  const device = harness.device(user, exchange);
  await device.sync();
  await find(user.id);
  const count = async (what: () => Promise<unknown>) => {
    const before = asked;
    await what();
    return asked - before;
  };
  const passAndLook = async (ms: number) => {
    harness.pass(ms);
    look();
    await expect.poll(() => poke.memory().headAgeMs).toBe(0);
  };
  await passAndLook(maxRememberedMs);
  expect([await count(device.sync), await count(() => find(user.id))]).toEqual([0, 0]);
  await passAndLook(1);
  expect([await count(device.sync), await count(() => find(user.id))]).toEqual([1, 1]);
});

it('S10: a restore under a running server is noticed at its next read of the head: a new timeline begins, and every device is poked', async () => {
  const person: User = await harness.homeowner();
  await start();
  const before = await harness.parts.store.single.readHead();
  let pokes = 0;
  await poke.connect({ userId: person.id, since: before, onPoke: () => void (pokes += 1) });
  await harness.db.sql.deleteFrom('sync_change').where('version', '=', before).execute();
  const { timeline } = must(poke.seen(), 'what was seen');
  look();
  await expect.poll(() => pokes).toBe(1);
  expect(poke.headVersion()).toBe(await harness.parts.store.single.readHead());
  expect(BigInt(poke.headVersion())).toBeGreaterThan(BigInt(before));
  expect(must(poke.seen(), 'what was seen').timeline).not.toBe(timeline);
});

it('S10: through a real connection that loses its notices, commits are seen by the next exchange once the proof is overdue', async () => {
  const { user } = await harness.tradie();
  const wire: Wire = await openWire(harness.db.url ?? '');
  const database = await openPostgres({ url: wire.url, listening: { pulse: 50, answer: 500 } });
  const store = createSqlStore(database);
  const over = openPoke({ store, clock: harness.now, log: harness.parts.log });
  await over.start();
  await expect.poll(() => over.freshHead()).toBe(await harness.parts.store.single.readHead());
  const exchange = createExchange({ ...harness.parts, store, headVersion: over.freshHead });
  const device = harness.device(user, exchange);
  await device.sync();
  wire.silence('dwang listen');
  await writable(harness.db.sql)
    .updateTable('users')
    .set({ subscription_status: 'canceled' })
    .where('id', '=', user.id)
    .execute();
  await expect.poll(() => over.memory().isFresh).toBe(false);
  await device.sync();
  expect(device.answers.at(-2)).toEqual({ kind: 'reset', reason: 'view' });
  wire.mend();
  await expect.poll(() => over.memory().isFresh, { timeout: 60_000 }).toBe(true);
  await over.close();
  await database.close();
  await wire.close();
});
