import { useEffect, useState } from 'react';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import { nextVisit, type FeedVisit } from './last-visit.ts';

/** The instant after which a job is new to this person; undefined until that is known. */
export function useLastVisit(): string | undefined {
  const { now } = useApp();
  const { db } = useSessionContext();
  const [since, setSince] = useState<string>();

  useEffect(() => {
    let isGone = false;
    const look = async () => {
      const next = await db.transaction('rw', db.meta, async () => {
        const value = nextVisit((await db.meta.get('look'))?.value as FeedVisit | undefined, now());
        await db.meta.put({ key: 'look', value });
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
  }, [db, now]);
  return since;
}
