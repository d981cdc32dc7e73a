import { fromNzClock, nextNzHour, nzDate } from '../../../shared/lib/nz-time.ts';

interface ReminderTime {
  readonly words: string;
  readonly at: string;
}

const midnight = 0;

/** When one may be reminded in a tap, by the clock in New Zealand. In the evening there is no tonight any more. */
export function reminderTimes(now: Date): readonly ReminderTime[] {
  const tonight = nextNzHour(now, 18);
  const tomorrow = nextNzHour(nextNzHour(now, midnight), 7);
  return [
    ...(nzDate(tonight) === nzDate(now) ? [{ words: 'Tonight, 6 pm', at: tonight.toISOString() }] : []),
    { words: 'Tomorrow, 7 am', at: tomorrow.toISOString() },
  ];
}

/** What is wrong with a time that was chosen, or the instant that it is. */
export function chosenTime(shown: string, now: Date): { readonly at: string } | { readonly problem: string } {
  const at = fromNzClock(shown);
  if (at === undefined) return { problem: 'Choose a day and a time.' };
  return at <= now ? { problem: 'Choose a time that is still to come.' } : { at: at.toISOString() };
}
