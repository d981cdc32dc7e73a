import { beforeEach, expect, test } from 'vitest';
import { makeInterest, makeTestId, makeTradie } from '../../shared/testing/make.ts';
import type { SyncTx } from '../store/sync-store.ts';
import { createStagedTable } from './staged-table.ts';

test('a day’s worth of interests is looked through once, not once for each', async () => {
  let reads = 0;
  const counted = <T extends object>(row: T): T =>
    new Proxy(row, {
      get: (target, property, receiver) => {
        reads += 1;
        return Reflect.get(target, property, receiver) as unknown;
      },
    });
  const there = Array.from({ length: 500 }, () => makeInterest());
  const store = { lockRows: async () => there.map(counted) } as unknown as SyncTx;
  const asked = there.map(({ tradieId }) => ({ jobId: makeTestId(), tradieId }));
  const table = createStagedTable('interests', {
    store,
    candidates: asked.flatMap(({ jobId, tradieId }) => [jobId, tradieId]),
    references: async () => new Set(),
  });
  for (const where of asked) expect(await table.verbs.find(where)).toBeUndefined();
  expect(reads).toBeLessThan(10 * there.length);
});

let updated: [columns: readonly string[], ids: string[]][];
beforeEach(() => {
  updated = [];
});

/** A table over a store that holds these rows. */
function openTable(name: 'interests' | 'tradies', there: readonly { id: string }[] = []) {
  const store = {
    lockRows: async (_name: string, where: Record<string, readonly string[]>) =>
      there.filter((row) =>
        Object.entries(where).every(([column, values]) =>
          values.includes((row as never as Record<string, string>)[column]!),
        ),
      ),
    existingIds: async () => new Set(),
    insertRows: async () => undefined,
    updateRows: async (_name: string, columns: readonly string[], rows: readonly { id: string }[]) =>
      void updated.push([columns, rows.map(({ id }) => id)]),
  } as unknown as SyncTx;
  return createStagedTable(name, { store, candidates: [], references: async () => new Set(['category:builder']) });
}
const keyOf = ({ jobId, tradieId }: { jobId: string; tradieId: string }) => ({ jobId, tradieId });

test('a row is found by the key it has now: not once it was discarded, nor under the key it had', async () => {
  const there = makeInterest();
  const { verbs, keep, discard } = openTable('interests', [there]);
  expect(await verbs.find(keyOf(there))).toEqual(there);
  const tradieId = makeTestId();
  await verbs.update(there.id, { tradieId });
  expect(await verbs.find(keyOf(there))).toBeUndefined();
  expect(await verbs.find({ jobId: there.jobId, tradieId })).toMatchObject({ id: there.id });
  discard();
  expect(await verbs.find({ jobId: there.jobId, tradieId })).toBeUndefined();
  const made = makeInterest();
  await verbs.insert({ ...made });
  discard();
  expect(await verbs.find(keyOf(made))).toBeUndefined();
  await verbs.insert({ ...made });
  keep();
  discard();
  expect(await verbs.find(keyOf(made))).toEqual(made);
});

test('a second row under the same key, and a search by what is no key, are bugs', async () => {
  const there = makeInterest();
  const { verbs } = openTable('interests', [there]);
  await expect(verbs.insert({ ...makeInterest(), ...keyOf(there) })).rejects.toThrow(
    'interests has a row with the same',
  );
  await expect(verbs.find({ jobId: there.jobId })).rejects.toThrow('interests has no unique key jobId');
  await expect(verbs.update(makeTestId(), { note: 'x' })).rejects.toThrow('interests has no row');
});

test('only what was given is written: nothing for an update without a value', async () => {
  const there = makeInterest();
  const { verbs, keep, flush } = openTable('interests', [there]);
  await verbs.update(there.id, { note: undefined });
  keep();
  await flush();
  expect(updated).toEqual([]);
  await verbs.update(there.id, { note: 'Thursday?', contacted: undefined });
  keep();
  await flush();
  expect(updated).toEqual([[['note'], [there.id]]]);
});

test('one unknown name among known ones is rejected, with its field', async () => {
  const tradie = makeTradie({ categoryIds: ['builder'] });
  const { verbs } = openTable('tradies', [tradie]);
  await expect(verbs.update(tradie.id, { categoryIds: ['builder', 'wizard'] })).rejects.toMatchObject({
    code: 'invalid',
    fields: { categoryIds: 'Choose a category from the list.' },
  });
  await verbs.update(tradie.id, { categoryIds: [] });
  expect(await verbs.get(tradie.id)).toMatchObject({ categoryIds: [] });
});
