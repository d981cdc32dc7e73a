import { hour } from './durations.ts';

/** New Zealand's main islands, daylight saving time included. */
const zone = 'Pacific/Auckland';

const clockOf = new Intl.DateTimeFormat('en-NZ', {
  timeZone: zone,
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
// `en-CA` writes a date as ISO 8601 does.
const dateOf = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });

/** The date there: `2026-11-23`. */
export function nzDate(at: Date): string {
  return dateOf.format(at);
}

/** The hour there, 0 to 23. */
export function nzHour(at: Date): number {
  return Number(clockOf.formatToParts(at).find(({ type }) => type === 'hour')?.value);
}

/**
 * The next instant, after this one, at which a clock there shows this full hour. In the hour that is left out in
 * spring: the one after.
 */
export function nextNzHour(at: Date, wanted: number): Date {
  // Offsets from UTC are whole hours there, so full hours are the same everywhere.
  let next = Math.floor(at.getTime() / hour) * hour;
  for (let step = 0; step < 49; step += 1) {
    next += hour;
    const [now, before] = [nzHour(new Date(next)), nzHour(new Date(next - hour))];
    if (now === wanted || (now === (wanted + 1) % 24 && before !== wanted)) return new Date(next);
  }
  throw new Error(`No clock shows ${wanted}:00`);
}

/**
 * Whether this hour is in the span from one hour up to, not including, another; over midnight where `from` is the later
 * one.
 */
export function isHourWithin(shown: number, from: number, to: number): boolean {
  return from <= to ? shown >= from && shown < to : shown >= from || shown < to;
}

/** The instant at which the day of `at` began there. */
export function nzDayStart(at: Date): Date {
  let start = Math.floor(at.getTime() / hour) * hour;
  while (nzDate(new Date(start - hour)) === nzDate(at)) start -= hour;
  return new Date(start);
}

/** What a clock there shows, as a `datetime-local` field writes it: `2026-11-23T07:00`. */
export function nzClock(at: Date): string {
  const shown = clockOf.formatToParts(at);
  const part = (wanted: string) => shown.find(({ type }) => type === wanted)?.value ?? '';
  return `${nzDate(at)}T${part('hour')}:${part('minute')}`;
}

/**
 * The instant at which a clock there shows this (as `nzClock`); in the hour that comes twice, the first. An hour that
 * is left out in spring is the one after. Undefined for what is no date and time.
 */
export function fromNzClock(shown: string): Date | undefined {
  // A browser reads other texts as dates too; they are rejected here.
  const asUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(shown) ? Date.parse(`${shown}:00Z`) : NaN;
  if (Number.isNaN(asUtc)) return undefined;
  // 13 hours ahead in summer, 12 in winter.
  for (const ahead of [13, 12]) {
    const at = new Date(asUtc - ahead * hour);
    if (nzClock(at) === shown) return at;
  }
  return new Date(asUtc - 12 * hour);
}
