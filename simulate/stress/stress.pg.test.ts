import { afterAll, beforeAll, expect, it } from 'vitest';
import { runStress } from './run-stress.ts';
import { openStressDatabase, type StressDatabase } from './stress-database.ts';

let harness: StressDatabase;
beforeAll(async () => {
  harness = await openStressDatabase();
});
afterAll(() => harness.close());

it('three servers, one killed again and again, and their database connections cut: nothing lost, nothing doubled, nothing acknowledged early', async () => {
  const { url, database } = harness;
  const report = await runStress({
    url,
    database,
    servers: 3,
    people: 6,
    changes: 600,
    kills: 4,
    cuts: 12,
    seed: 1,
    say: () => undefined,
  });
  expect(report.faults).toEqual([]);
  // A run in which nothing happened proves nothing.
  expect(report).toMatchObject({ kills: 4, cuts: 12 });
  expect(report.applied).toBeGreaterThan(400);
  expect(report.refused).toBeGreaterThan(0);
  expect(report.pokes).toBeGreaterThan(0);
}, 300_000);
