import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { batchName, noProgress, readProgress, seedsDone, writeProgress } from './progress.ts';
import { runSeeds } from './run-seeds.ts';

const batch = { from: 900_001, to: 900_003, steps: 10, report: undefined, workers: 1 };
const name = batchName(batch.from, batch.to, batch.steps);
let said = '';
beforeEach(() => {
  said = '';
  vi.spyOn(console, 'log').mockImplementation((text: string) => void (said += `${text}\n`));
});
afterEach(() => vi.restoreAllMocks());

test('an interrupted run continues where it stopped', async () => {
  writeProgress(name, { ...noProgress(), done: [[900_001, 900_002]], counts: { 'a step taken': 1_000_000 } });
  expect(await runSeeds({ ...batch, isFresh: false })).toBe(0);
  expect(said).toContain('2 of 3 seeds are done already');
  const progress = readProgress(name);
  expect([progress.done, seedsDone(progress)]).toEqual([[[900_001, 900_003]], 3]);
  // Of one seed of ten steps, on top of what was known.
  expect(progress.counts['a step taken']).toBeGreaterThan(1_000_000);
  expect(progress.counts['a step taken']).toBeLessThanOrEqual(1_000_010);
});

test('a seed that failed before fails the continued run', async () => {
  writeProgress(name, { ...noProgress(), done: [[900_001, 900_003]], failed: [900_002] });
  expect(await runSeeds({ ...batch, isFresh: false })).toBe(1);
});

test('begun afresh, it forgets the earlier run', async () => {
  writeProgress(name, { ...noProgress(), done: [[900_001, 900_003]], failed: [900_002] });
  expect(await runSeeds({ ...batch, isFresh: true })).toBe(0);
  expect(readProgress(name).failed).toEqual([]);
});
