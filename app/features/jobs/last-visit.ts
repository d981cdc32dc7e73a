import { useEffect, useState } from 'react';
import { minute } from '../../../shared/lib/durations.ts';
import { useApp, useSessionContext } from '../../context/app-context.ts';

/** One person's visits to a page on this device. ISO instants. */
export interface Visit {
  /** What came after this is new in this visit. */
  readonly since: string;
  /** When the list was last on the screen. */
  readonly at: string;
}

/** A sooner return continues the visit: what was new when the person went to read a job is new on the way back. */
export const visitTimeoutMs = 30 * minute;

/** The visit that goes on or begins now. At the very first one nothing is new that was there before it. */
export function nextVisit(before: Visit | undefined, now: string): Visit {
  if (before === undefined) return { since: now, at: now };
  return { since: Date.parse(now) - Date.parse(before.at) > visitTimeoutMs ? before.at : before.since, at: now };
}

/**
 * The instant after which something is new to this person on the list of jobs, or on the dashboard; undefined until
 * that is known.
 */
export function useLastVisit(page: 'look' | 'home' = 'look'): string | undefined {
  const { now } = useApp();
  const { db } = useSessionContext();
  const [since, setSince] = useState<string>();

  useEffect(() => {
    let isGone = false;
    const look = async () => {
      const next = await db.transaction('rw', db.meta, async () => {
        const value = nextVisit((await db.meta.get(page))?.value as Visit | undefined, now());
        await db.meta.put({ key: page, value });
        return value;
      });
      if (!isGone) setSince(next.since);
    };
    // A browser that keeps nothing: no job is called new, and the list is as good as before.
    const note = () => void look().catch(() => undefined);
    note();
    document.addEventListener('visibilitychange', note);
    return () => {
      document.removeEventListener('visibilitychange', note);
      isGone = true;
      note();
    };
  }, [db, now, page]);
  return since;
}
