import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSyncHouse, type SyncHouse } from '../testing/sync-house.ts';
import { createKnownActors } from './known-actors.ts';
import { createPoke, type Poke } from './poke.ts';

let house: SyncHouse;
let poke: Poke;
beforeAll(async () => {
  house = await openSyncHouse('postgres');
  poke = createPoke({ database: house.db, clock: house.now, log: house.parts.log });
  await poke.start();
});
afterAll(async () => {
  await poke.close();
  await house.close();
});

/** How often the database was asked, and what the person may do. */
function watched(changes: Partial<Parameters<typeof createKnownActors>[0]> = {}) {
  let asked = 0;
  const sql = house.db.sql.withPlugin({ transformQuery: ({ node }) => ((asked += 1), node), transformResult: ({ result }) => Promise.resolve(result) });
  return { find: createKnownActors({ database: { ...house.db, sql }, clock: house.now, poke, ...changes }), asked: () => asked };
}

it('asks once for a person, however many segments they take, and again when a commit concerned them', async () => {
  const { user } = await house.tradie();
  const other = await house.homeowner();
  await expect.poll(() => poke.headVersion()).not.toBe('0');
  const { find, asked } = watched();
  // The commits above may still be on their way.
  await expect.poll(async () => {
    await find(user.id);
    const before = asked();
    await Promise.all(Array.from({ length: 50 }, () => find(user.id)));
    return asked() - before;
  }).toBe(0);
  expect((await find(user.id))?.subscriptionStatus).toBe('active');

  const before = asked();
  await house.db.sql.updateTable('users').set({ first_name: 'Hine' }).where('id', '=', other.id).execute();
  await house.db.sql.updateTable('users').set({ subscription_status: 'canceled' }).where('id', '=', user.id).execute();
  await expect.poll(async () => (await find(user.id))?.subscriptionStatus).toBe('canceled');
  expect(asked() - before).toBeGreaterThan(0);
});

it('forgets who was asked for least recently, where there are too many', async () => {
  const [rua, hine, tama] = [await house.homeowner(), await house.homeowner(), await house.homeowner()];
  const { find, asked } = watched({ poke: { freshHead: () => '1', onAccounts: () => undefined }, most: 2 });
  for (const { id } of [rua, hine, rua, tama]) await find(id);
  const before = asked();
  await find(rua.id);
  expect(asked()).toBe(before);
  await find(hine.id);
  expect(asked()).toBeGreaterThan(before);
});

it('remembers no fault', async () => {
  const { user } = await house.tradie();
  let isAway = true;
  const sql = house.db.sql.withPlugin({
    transformQuery: ({ node }) => {
      if (isAway) throw Object.assign(new Error('away'), { code: '08006' });
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  const find = createKnownActors({ database: { ...house.db, sql }, clock: house.now, poke });
  await expect(find(user.id)).rejects.toThrow('away');
  isAway = false;
  expect((await find(user.id))?.id).toBe(user.id);
});
