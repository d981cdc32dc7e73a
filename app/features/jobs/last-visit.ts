import { minute } from '../../../shared/lib/durations.ts';

/** One person's visits to the feed on this device. ISO instants. */
export interface FeedVisit {
  /** Jobs posted after this are new in this visit. */
  readonly since: string;
  /** When the list was last on the screen. */
  readonly at: string;
}

/** A sooner return continues the visit: what was new when the person went to read a job is new on the way back. */
export const visitRestMs = 30 * minute;

/** The visit that goes on or begins now. At the very first one nothing is new that was there before it. */
export function nextVisit(before: FeedVisit | undefined, now: string): FeedVisit {
  if (before === undefined) return { since: now, at: now };
  return { since: Date.parse(now) - Date.parse(before.at) > visitRestMs ? before.at : before.since, at: now };
}
