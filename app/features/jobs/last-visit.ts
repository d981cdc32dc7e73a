/** One person's looks at the list of jobs on this device. ISO instants. */
export interface FeedVisit {
  /** Jobs posted after this are new in this look. */
  readonly since: string;
  /** When the list was last in sight. */
  readonly at: string;
}

/** Who comes back sooner is still at the same look: what was new when they went to read a job is new on the way back. */
export const visitRestMs = 30 * 60_000;

/** The look that goes on or begins now. At the very first one nothing is new that was there before it. */
export function nextVisit(before: FeedVisit | undefined, now: string): FeedVisit {
  if (before === undefined) return { since: now, at: now };
  return { since: Date.parse(now) - Date.parse(before.at) > visitRestMs ? before.at : before.since, at: now };
}
