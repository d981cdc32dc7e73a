import { expect, test } from 'vitest';
import type { Database } from './database.ts';
import { shareOf } from './share-of.ts';

test('of many transactions so many are under way at once, also after some have failed, and all come to an end', async () => {
  let [now, most, done] = [0, 0, 0];
  const database = {
    transaction: async (work: (sql: never) => Promise<unknown>) => {
      now += 1;
      most = Math.max(most, now);
      try {
        return await work(undefined as never);
      } finally {
        now -= 1;
      }
    },
  } as unknown as Database;
  const share = shareOf(database, 3);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, at) =>
      share.transaction(async () => {
        await Promise.resolve();
        if (at % 3 === 0) throw new Error('no');
        done += 1;
      }),
    ),
  );
  expect([most, now, done]).toEqual([3, 0, 13]);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(7);
});
