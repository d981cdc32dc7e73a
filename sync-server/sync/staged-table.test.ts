import { expect, test } from 'vitest';
import { makeInterest, makeTestId } from '../../shared/testing/make.ts';
import type { SyncTx } from '../store/sync-store.ts';
import { openStagedTable } from './staged-table.ts';

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
  const table = openStagedTable('interests', {
    store,
    candidates: asked.flatMap(({ jobId, tradieId }) => [jobId, tradieId]),
    references: async () => new Set(),
  });
  for (const where of asked) expect(await table.verbs.find(where)).toBeUndefined();
  expect(reads).toBeLessThan(10 * there.length);
});
