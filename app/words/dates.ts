const zone = { timeZone: 'Pacific/Auckland' } as const;
const day = new Intl.DateTimeFormat('en-NZ', { dateStyle: 'medium', ...zone });
const clock = new Intl.DateTimeFormat('en-NZ', { hour: 'numeric', minute: '2-digit', hour12: true, ...zone });
const calendarDay = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', ...zone });

/** `13 Oct 2025`, the day it was in New Zealand (product.md section 3). */
export function formatDay(instant: string): string {
  return day.format(new Date(instant));
}

/** `10:42 am` today, `13 Oct 2025, 10:42 am` on another day. */
export function formatMoment(instant: string, now: string): string {
  const then = new Date(instant);
  const time = clock.format(then).replace(/\u202f/g, ' ');
  return calendarDay.format(then) === calendarDay.format(new Date(now)) ? time : `${day.format(then)}, ${time}`;
}

const minute = 60_000;
const hour = 60 * minute;
const whole = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'} ago`;

/** `just now`, `5 minutes ago`, `3 hours ago`, `2 days ago`; from a month on, the day itself. */
export function formatAge(instant: string, now: string): string {
  const age = Date.parse(now) - Date.parse(instant);
  if (age < minute) return 'just now';
  if (age < hour) return whole(Math.floor(age / minute), 'minute');
  if (age < 24 * hour) return whole(Math.floor(age / hour), 'hour');
  if (age < 30 * 24 * hour) return whole(Math.floor(age / (24 * hour)), 'day');
  return formatDay(instant);
}
