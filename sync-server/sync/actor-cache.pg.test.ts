import { afterAll, beforeAll, expect, it } from 'vitest';
import { writable } from '../db/write-rows.ts';
import { createSqlStore } from '../store/sql-store.ts';
import { openSyncHarness, type SyncHarness } from '../testing/sync-harness.ts';
import { createActorCache } from './actor-cache.ts';
import { openPoke, type Poke } from './poke.ts';

let harness: SyncHarness;
let poke: Poke;
beforeAll(async () => {
  harness = await openSyncHarness('postgres');
  poke = openPoke({ store: harness.parts.store, clock: harness.now, log: harness.parts.log });
  await poke.start();
});
afterAll(async () => {
  await poke.close();
  await harness.close();
});

/** The number of queries, and the person's rights. */
function watched(changes: Partial<Parameters<typeof createActorCache>[0]> = {}) {
  let asked = 0;
  const sql = harness.db.sql.withPlugin({
    transformQuery: ({ node }) => ((asked += 1), node),
    transformResult: ({ result }) => Promise.resolve(result),
  });
  return {
    find: createActorCache({ store: createSqlStore({ ...harness.db, sql }), clock: harness.now, poke, ...changes }),
    asked: () => asked,
  };
}

it('asks once for a person, however many segments they fetch, and again when a commit concerned them', async () => {
  const { user } = await harness.tradie();
  const other = await harness.homeowner();
  await expect.poll(() => poke.headVersion()).not.toBe('0');
  const { find, asked } = watched();
  // The notices of the commits above may still be in flight.
  await expect
    .poll(async () => {
      await find(user.id);
      const before = asked();
      await Promise.all(Array.from({ length: 50 }, () => find(user.id)));
      return asked() - before;
    })
    .toBe(0);
  expect((await find(user.id))?.subscriptionStatus).toBe('active');

  const before = asked();
  await writable(harness.db.sql).updateTable('users').set({ first_name: 'Hine' }).where('id', '=', other.id).execute();
  await writable(harness.db.sql)
    .updateTable('users')
    .set({ subscription_status: 'canceled' })
    .where('id', '=', user.id)
    .execute();
  await expect.poll(async () => (await find(user.id))?.subscriptionStatus).toBe('canceled');
  expect(asked() - before).toBeGreaterThan(0);
});

it('evicts the least recently used person, where there are too many', async () => {
  const [rua, hine, tama] = [await harness.homeowner(), await harness.homeowner(), await harness.homeowner()];
  const { find, asked } = watched({ poke: { freshHead: () => '1', onAccounts: () => undefined }, max: 2 });
  for (const { id } of [rua, hine, rua, tama]) await find(id);
  const before = asked();
  await find(rua.id);
  expect(asked()).toBe(before);
  await find(hine.id);
  expect(asked()).toBeGreaterThan(before);
});

it('caches no error', async () => {
  const { user } = await harness.tradie();
  let isAway = true;
  const sql = harness.db.sql.withPlugin({
    transformQuery: ({ node }) => {
      if (isAway) throw Object.assign(new Error('away'), { code: '08006' });
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  const find = createActorCache({ store: createSqlStore({ ...harness.db, sql }), clock: harness.now, poke });
  await expect(find(user.id)).rejects.toThrow('away');
  isAway = false;
  expect((await find(user.id))?.id).toBe(user.id);
});
