import { expect, test } from 'vitest';
import { nextLook } from './last-look.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 10, 8, minute)).toISOString();

test('at the first look nothing is new that was there before', () => {
  expect(nextLook(undefined, at(0))).toEqual({ since: at(0), at: at(0) });
});

test('who comes back within half an hour is still at the same look', () => {
  expect(nextLook({ since: at(0), at: at(10) }, at(40))).toEqual({ since: at(0), at: at(40) });
});

test('after longer away, new is what came since the list was last in sight', () => {
  expect(nextLook({ since: at(0), at: at(10) }, at(41))).toEqual({ since: at(10), at: at(41) });
});
