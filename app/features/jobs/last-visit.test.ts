import { expect, test } from 'vitest';
import { nextVisit } from './last-visit.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 10, 8, minute)).toISOString();

test('at the first visit nothing is new that was there before', () => {
  expect(nextVisit(undefined, at(0))).toEqual({ since: at(0), at: at(0) });
});

test('a return within half an hour continues the same visit', () => {
  expect(nextVisit({ since: at(0), at: at(10) }, at(40))).toEqual({ since: at(0), at: at(40) });
});

test('after longer away, new is what came since the list was last in sight', () => {
  expect(nextVisit({ since: at(0), at: at(10) }, at(41))).toEqual({ since: at(10), at: at(41) });
});
