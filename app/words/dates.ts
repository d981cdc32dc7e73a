import { day, hour, minute } from '../../shared/lib/durations.ts';
import { lazily } from '../../shared/lib/lazily.ts';

const formatter = lazily(
  () =>
    new Intl.DateTimeFormat('en-NZ', {
      timeZone: 'Pacific/Auckland',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      hour12: true,
    }),
);

/** Both from one formatter, since making one is expensive. What a browser puts between day and time is left out. */
function partsOf(instant: string): { day: string; time: string } {
  const parts = formatter().formatToParts(new Date(instant));
  const text = (from: Intl.DateTimeFormatPartTypes, to: Intl.DateTimeFormatPartTypes) => {
    const at = parts.findIndex(({ type }) => type === from);
    return parts
      .slice(at, parts.findIndex(({ type }) => type === to) + 1)
      .map(({ value }) => value)
      .join('')
      .replace(/\u202f/g, ' ');
  };
  return { day: text('day', 'year'), time: text('hour', 'dayPeriod') };
}

/** `13 Oct 2025`, the day it was in New Zealand. */
export function formatDay(instant: string): string {
  return partsOf(instant).day;
}

/** `13 Oct, 10:42 am`, or with the year as the day after: for what may be read on another day. */
export function formatDayAndTime(instant: string, now: string): string {
  return formatInstant(instant, new Date(Date.parse(now) + day).toISOString());
}

/** `10:42 am` today, `13 Oct, 10:42 am` on another day of this year, `13 Oct 2025, 10:42 am` before. */
export function formatInstant(instant: string, now: string): string {
  const short = formatTimeOrDay(instant, now);
  const { time } = partsOf(instant);
  return short === time ? time : `${short}, ${time}`;
}

/** The same inside a sentence: `at 10:42 am` today, `on 13 Oct, 10:42 am` on another day. */
export function formatWhen(instant: string, now: string): string {
  return `${formatDay(instant) === formatDay(now) ? 'at' : 'on'} ${formatInstant(instant, now)}`;
}

/** `10:42 am` today, `13 Oct` on another day of this year, `13 Oct 2025` before. */
export function formatTimeOrDay(instant: string, now: string): string {
  const { day, time } = partsOf(instant);
  const today = partsOf(now).day;
  if (day === today) return time;
  return day.slice(-4) === today.slice(-4) ? day.slice(0, -5) : day;
}

const whole = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'} ago`;

/** `just now`, `5 minutes ago`, `3 hours ago`, `2 days ago`; from a week on, the day itself. */
export function formatAge(instant: string, now: string): string {
  const age = Date.parse(now) - Date.parse(instant);
  if (age < minute) return 'just now';
  if (age < hour) return whole(Math.floor(age / minute), 'minute');
  if (age < day) return whole(Math.floor(age / hour), 'hour');
  if (age < 7 * day) return whole(Math.floor(age / day), 'day');
  return formatDay(instant);
}
