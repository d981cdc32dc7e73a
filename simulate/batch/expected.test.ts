import { expect, test } from 'vitest';
import { expectedCounts, isUnforeseen, missingCounts } from './expected.ts';

const everything = Object.fromEntries(expectedCounts.map((what) => [what, 1]));

test('a batch in which everything expected has happened lacks nothing', () => {
  expect(missingCounts(everything)).toEqual([]);
});

test.each(['fault: answer lost', 'refusal: stale', 'conflict: closed twice', 'outcome: parked'])('a batch in which "%s" never happened fails', (what) => {
  expect(expectedCounts).toContain(what);
  expect(missingCounts({ ...everything, [what]: 0 })).toEqual([what]);
});

test('an error that nobody foresaw is told from what is expected', () => {
  expect([isUnforeseen('unforeseen: TypeError: x is undefined'), expectedCounts.some(isUnforeseen)]).toEqual([true, false]);
});
