import { expect, test } from 'vitest';
import { calmed } from './calmed.ts';
import { createCell } from './cell.ts';

function open(isLong: boolean) {
  const source = createCell(0);
  const timers: (() => void)[] = [];
  let looks = 0;
  const counted = { ...source, current: () => ((looks += 1), source.current()) };
  const value = calmed(
    counted,
    () => isLong,
    (_ms, then) => timers.push(then),
  );
  const told: number[] = [];
  const stop = value.subscribe(() => told.push(value.current()));
  const fire = () => timers.splice(0).forEach((then) => then());
  return { source, value, told, fire, stop, timers, looks: () => looks };
}

test('a short list is shown anew with each change', () => {
  const { source, told, timers } = open(false);
  for (const next of [1, 2, 3]) source.set(next);
  expect([told, timers]).toEqual([[1, 2, 3], []]);
});

test('of a long one the first change is shown at once, those that follow together, and the last is never left out', () => {
  const { source, told, fire, looks } = open(true);
  for (const next of [1, 2, 3]) source.set(next);
  expect(told).toEqual([1]);
  expect(looks()).toBeLessThanOrEqual(2);
  fire();
  expect(told).toEqual([1, 3]);
  fire();
  expect(told).toEqual([1, 3]);
  source.set(4);
  expect(told).toEqual([1, 3, 4]);
});

test('a screen that asks between two looks sees what the others see', () => {
  const { source, value, fire } = open(true);
  source.set(1);
  source.set(2);
  expect(value.current()).toBe(1);
  fire();
  expect(value.current()).toBe(2);
});

test('nothing is watched that no screen asks for', () => {
  const { source, told, stop, value } = open(false);
  stop();
  source.set(1);
  expect([told, value.current()]).toEqual([[], 1]);
});
