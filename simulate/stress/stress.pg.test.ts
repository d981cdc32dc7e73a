import { afterAll, beforeAll, expect, it } from 'vitest';
import { runStress } from './run-stress.ts';
import { openStressDatabase, type StressDatabase } from './stress-database.ts';

let harness: StressDatabase;
beforeAll(async () => {
  harness = await openStressDatabase();
});
afterAll(() => harness.close());

/** `npm run stress` runs for as long as one likes. */
const size =
  process.env['TEST_LONG'] === '1' ? { changes: 600, kills: 4, cuts: 12 } : { changes: 300, kills: 2, cuts: 6 };

it('three servers, one killed again and again, and their database connections cut: nothing lost, nothing doubled, nothing acknowledged early', async () => {
  const { url, database } = harness;
  const report = await runStress({
    url,
    database,
    servers: 3,
    people: 6,
    ...size,
    seed: 1,
    say: () => undefined,
  });
  expect(report.faults).toEqual([]);
  // A run in which nothing happened proves nothing.
  expect(report).toMatchObject({ kills: size.kills, cuts: size.cuts });
  expect(report.applied).toBeGreaterThan((size.changes * 2) / 3);
  expect(report.refused).toBeGreaterThan(0);
  expect(report.pokes).toBeGreaterThan(0);
}, 300_000);
