import { expect, test } from 'vitest';
import { expectedCounts, isUnforeseen, missingCounts } from './expected.ts';

const everything = Object.fromEntries(expectedCounts.map((what) => [what, 1]));

test('a batch in which everything expected has happened lacks nothing', () => {
  expect(missingCounts(everything, 300)).toEqual([]);
});

test.each(['fault: answer lost', 'refusal: stale', 'conflict: closed twice', 'outcome: parked'])(
  'a batch in which "%s" never happened fails',
  (what) => {
    expect(expectedCounts).toContain(what);
    expect(missingCounts({ ...everything, [what]: 0 }, 100)).toEqual([what]);
  },
);

test('rare events must have happened in three hundred seeds, not in a hundred', () => {
  const counts = { ...everything, 'client: watchdog': 0 };
  expect([missingCounts(counts, 100), missingCounts(counts, 300)]).toEqual([[], ['client: watchdog']]);
});

test('an unexpected error is told from expected events', () => {
  expect([isUnforeseen('unforeseen: TypeError: x is undefined'), expectedCounts.some(isUnforeseen)]).toEqual([
    true,
    false,
  ]);
});
