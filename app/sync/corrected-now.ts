import { minute } from '../../shared/lib/durations.ts';
import type { Clock } from '../db/clock.ts';

/** Less than this is latency; more is a phone whose clock is wrong. */
const worthCorrectingMs = minute;

/**
 * A time of this device's clock as the server would tell it, ISO: on a phone whose clock is a year out the subscription
 * must not seem to have ended. `offset`: milliseconds, or nothing before the first answer.
 */
export function correctedBy(offset: unknown, now: number): string {
  const correction = typeof offset === 'number' && Math.abs(offset) > worthCorrectingMs ? offset : 0;
  return new Date(now + correction).toISOString();
}

/**
 * When an answer came, ISO, for what people are shown: by the same clock as the time of a tap (`correctedBy`), so that
 * a phone whose clock is wrong does not show the one in its own time beside the other in the server's.
 */
export function heardAt({ serverTime }: { readonly serverTime: string }, clock: Clock): string {
  const now = clock.now();
  return correctedBy(Date.parse(serverTime) - now, now);
}

/**
 * The earlier of this device's own time and the corrected one, ISO. A correction outlives the error it corrects: a
 * clock that was wrong and is right again would be a year out once more. A right ends here by time only where both say
 * so (C12).
 */
export function earliestNow(offset: unknown, clock: Clock): string {
  const corrected = correctedBy(offset, clock.now());
  return new Date(Math.min(clock.now(), Date.parse(corrected))).toISOString();
}
