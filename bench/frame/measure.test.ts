import { expect, test } from 'vitest';
import { measure, percentile } from './measure.ts';

const taken = { id: 'B1', name: 'First sync', unit: 'ms' };

test('a multiple of the lower bound is computed from the medians', () => {
  const line = measure({
    ...taken,
    runs: [300, 200, 900],
    floors: [100, 400, 100],
    target: { words: '<= 3 x floor', maxOfFloor: 3 },
  });
  expect(line).toMatchObject({ median: 300, floor: 100, ratio: 3, reached: true });
  expect(
    measure({ ...taken, runs: [301], floors: [100], target: { words: '<= 3 x floor', maxOfFloor: 3 } }).reached,
  ).toBe(false);
});

test('by itself, at most or at least', () => {
  expect(measure({ ...taken, runs: [5], target: { words: '<= 4 ms', max: 4 } }).reached).toBe(false);
  expect(measure({ ...taken, runs: [5], target: { words: '>= 4 a second', atLeast: 4 } }).reached).toBe(true);
  expect(measure({ ...taken, runs: [5] }).reached).toBeNull();
});

test('nothing measured is no figure', () => {
  expect(() => measure({ ...taken, runs: [] })).toThrow('Nothing was measured');
  expect(percentile([9, 1, 5, 3], 95)).toBe(9);
});
