import { describe, expect, it } from 'vitest';
import { fromNzClock, isHourWithin, nextNzHour, nzClock, nzDate, nzDayStart, nzHour } from './nz-time.ts';

describe('time in New Zealand', () => {
  it.each([
    ['2026-07-01T00:30:00Z', '2026-07-01', 12],
    ['2026-12-31T11:00:00Z', '2027-01-01', 0],
    ['2026-11-23T07:59:59Z', '2026-11-23', 20],
  ])('%s is %s, hour %i', (at, date, shown) => {
    expect([nzDate(new Date(at)), nzHour(new Date(at))]).toEqual([date, shown]);
  });

  it.each([
    ['an evening in summer', '2026-11-23T08:10:00Z', '2026-11-23T18:00:00.000Z'],
    ['the hour itself has begun', '2026-11-23T18:00:00Z', '2026-11-24T18:00:00.000Z'],
    ['the night in which the clocks go forward', '2026-09-26T10:00:00Z', '2026-09-26T18:00:00.000Z'],
    ['the night in which they go back', '2026-04-04T10:00:00Z', '2026-04-04T19:00:00.000Z'],
  ])('the next 7 am: %s', (_what, at, next) => {
    expect(nextNzHour(new Date(at), 7).toISOString()).toBe(next);
  });

  it.each([
    ['2026-11-23T08:10:00Z', '2026-11-22T11:00:00.000Z'],
    ['the 25 hours of the day on which the clocks go back', '2026-04-05T11:59:00Z', '2026-04-04T11:00:00.000Z'],
  ])('the day of %s began', (...given) => {
    const [at = '', start] = given.slice(-2);
    expect(nzDayStart(new Date(at)).toISOString()).toBe(start);
  });

  it('an hour that is left out in spring is the one after', () => {
    expect(nextNzHour(new Date('2026-09-26T10:00:00Z'), 2).toISOString()).toBe('2026-09-26T14:00:00.000Z');
  });

  it.each([
    [20, false],
    [21, true],
    [0, true],
    [6, true],
    [7, false],
  ])('9 pm to 7 am: hour %i is within it: %s', (shown, within) => {
    expect(isHourWithin(shown, 21, 7)).toBe(within);
  });

  it('a span that begins where it ends holds no hour', () => {
    expect([0, 9, 23].some((shown) => isHourWithin(shown, 9, 9))).toBe(false);
  });

  it.each([
    ['a morning in summer', '2026-11-24T07:00', '2026-11-23T18:00:00.000Z'],
    ['an evening in winter', '2026-07-01T18:30', '2026-07-01T06:30:00.000Z'],
    ['the hour that comes twice, the first time', '2026-04-05T02:30', '2026-04-04T13:30:00.000Z'],
    ['the hour that is left out: the one after', '2026-09-27T02:30', '2026-09-26T14:30:00.000Z'],
    ['after midnight', '2027-01-01T00:05', '2026-12-31T11:05:00.000Z'],
  ])('what a clock there shows is an instant: %s', (_what, shown, instant) => {
    expect(fromNzClock(shown)?.toISOString()).toBe(instant);
  });

  it('an instant is what a clock there shows', () => {
    expect(nzClock(new Date('2026-12-31T11:05:59Z'))).toBe('2027-01-01T00:05');
    expect(fromNzClock('')).toBeUndefined();
    expect(fromNzClock('2026-02-31T99:00')).toBeUndefined();
  });
});
