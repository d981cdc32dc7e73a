import { expect, test } from 'vitest';
import { chosenTime, reminderTimes } from './reminder-times.ts';

const timesAt = (now: string) => reminderTimes(new Date(now)).map(({ words, at }) => `${words}: ${at}`);

test('in the morning one may be reminded tonight, and tomorrow at seven', () => {
  expect(timesAt('2026-11-23T20:00:00Z')).toEqual([
    'Tonight, 6 pm: 2026-11-24T05:00:00.000Z',
    'Tomorrow, 7 am: 2026-11-24T18:00:00.000Z',
  ]);
});

test('from six in the evening on there is no tonight, and before dawn tomorrow is the next day', () => {
  expect(timesAt('2026-11-24T05:00:00Z')).toEqual(['Tomorrow, 7 am: 2026-11-24T18:00:00.000Z']);
  // 2 am on the 25th.
  expect(timesAt('2026-11-24T13:00:00Z').at(-1)).toBe('Tomorrow, 7 am: 2026-11-25T18:00:00.000Z');
});

test('the night in which the clocks go forward has its seven o’clock too', () => {
  expect(timesAt('2026-09-26T08:00:00Z')).toEqual(['Tomorrow, 7 am: 2026-09-26T18:00:00.000Z']);
});

test('a chosen time is one that is still to come, by the clock in New Zealand', () => {
  const now = new Date('2026-11-23T20:00:00Z');
  expect(chosenTime('2026-11-24T09:01', now)).toEqual({ at: '2026-11-23T20:01:00.000Z' });
  expect(chosenTime('2026-11-24T09:00', now)).toHaveProperty('problem');
  expect(chosenTime('', now)).toHaveProperty('problem');
});
