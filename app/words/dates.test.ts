import { expect, test } from 'vitest';
import { formatAge, formatDay, formatDayAndTime, formatInstant, formatTimeOrDay, formatWhen } from './dates.ts';

test('a day is the day it was in New Zealand [§settled]', () => {
  expect(formatDay('2025-10-12T12:00:00.000Z')).toBe('13 Oct 2025');
  expect(formatDay('2025-10-12T10:00:00.000Z')).toBe('12 Oct 2025');
});

test('an instant names its day only when that is not today [§offline]', () => {
  const now = '2026-01-10T05:00:00.000Z';
  expect(formatInstant('2026-01-09T21:42:00.000Z', now)).toBe('10:42 am');
  expect(formatInstant('2026-01-08T21:42:00.000Z', now)).toBe('9 Jan, 10:42 am');
  expect(formatInstant('2025-12-08T21:42:00.000Z', now)).toBe('9 Dec 2025, 10:42 am');
});

test('inside a sentence an instant has its preposition', () => {
  const now = '2026-01-10T05:00:00.000Z';
  expect(formatWhen('2026-01-09T21:42:00.000Z', now)).toBe('at 10:42 am');
  expect(formatWhen('2026-01-08T21:42:00.000Z', now)).toBe('on 9 Jan, 10:42 am');
});

test('what was sent says when today, and the day alone when not', () => {
  const now = '2026-01-10T05:00:00.000Z';
  expect(formatTimeOrDay('2026-01-10T04:13:00.000Z', now)).toBe('5:13 pm');
  expect(formatTimeOrDay('2026-01-08T21:42:00.000Z', now)).toBe('9 Jan');
  expect(formatTimeOrDay('2025-12-31T10:42:00.000Z', now)).toBe('31 Dec 2025');
});

test('ages are counted in the largest unit that fits', () => {
  const now = '2026-03-01T00:00:00.000Z';
  expect(formatAge('2026-02-28T23:59:30.000Z', now)).toBe('just now');
  expect(formatAge('2026-02-28T23:59:00.000Z', now)).toBe('1 minute ago');
  expect(formatAge('2026-02-28T21:00:00.000Z', now)).toBe('3 hours ago');
  expect(formatAge('2026-02-26T21:00:00.000Z', now)).toBe('2 days ago');
  expect(formatAge('2026-02-22T21:00:00.000Z', now)).toBe('6 days ago');
  expect(formatAge('2026-02-21T21:00:00.000Z', now)).toBe('22 Feb 2026');
  expect(formatAge('2025-12-26T21:00:00.000Z', now)).toBe('27 Dec 2025');
  // A phone whose clock runs behind the server's must not speak of the future.
  expect(formatAge('2026-03-01T00:05:00.000Z', now)).toBe('just now');
});

test('what may be read on another day names its day, and its year where that may be another', () => {
  expect(formatDayAndTime('2026-01-09T21:42:00.000Z', '2026-01-09T22:00:00.000Z')).toBe('10 Jan, 10:42 am');
  expect(formatDayAndTime('2026-12-31T03:00:00.000Z', '2026-12-31T04:00:00.000Z')).toBe('31 Dec 2026, 4:00 pm');
});
