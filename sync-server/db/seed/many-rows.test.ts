import { expect, it } from 'vitest';
import { tables } from '../../../shared/tables/index.ts';
import { manyRows } from './many-rows.ts';

const rows = manyRows({ jobs: 2_000, tradies: 500 });

it('makes as many rows as asked for, all of them valid', () => {
  expect(rows.jobs).toHaveLength(2_000);
  expect(rows.tradies).toHaveLength(500);
  for (const row of rows.jobs) expect(tables.jobs.row.safeParse(row).success).toBe(true);
  for (const row of rows.tradies) expect(tables.tradies.row.safeParse(row).success).toBe(true);
  expect(new Set(rows.jobs.map(({ id }) => id)).size).toBe(2_000);
  const people = new Set(rows.users.map(({ id }) => id));
  expect([...rows.jobs, ...rows.tradies].every(({ userId }) => people.has(userId ?? ''))).toBe(true);
});

it('describes jobs in about 300 characters and gives them up to five photos', () => {
  const lengths = rows.jobs.map(({ description }) => description.length);
  expect(Math.min(...lengths)).toBeGreaterThanOrEqual(240);
  expect(Math.max(...lengths)).toBeLessThan(400);
  expect(new Set(rows.jobs.map(({ images }) => images.length))).toEqual(new Set([0, 1, 2, 3, 4, 5]));
});

it('is the same for the same seed', () => {
  expect(manyRows({ jobs: 50, tradies: 5, seed: 7 })).toEqual(manyRows({ jobs: 50, tradies: 5, seed: 7 }));
  expect(manyRows({ jobs: 50, tradies: 5, seed: 7 }).jobs).not.toEqual(
    manyRows({ jobs: 50, tradies: 5, seed: 8 }).jobs,
  );
});
