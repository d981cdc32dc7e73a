import { useEffect, useMemo, useState } from 'react';
import { hour } from '../../shared/lib/durations.ts';
import type { Mark } from '../../shared/tables/index.ts';
import { useApp, type SessionContext } from '../context/app-context.ts';
import { useRows } from '../db/use-rows.ts';

type Reminding = Mark & { readonly remindAt: string };

const none: readonly Reminding[] = [];

/** What this device has to remind its person of now, the first to come due first. */
export function useDueReminders({ db }: Pick<SessionContext, 'db'>): readonly Reminding[] {
  const { now } = useApp();
  const read = useRows(
    db,
    ['marks'],
    ({ marks }) =>
      [...marks.values()]
        .filter((mark): mark is Reminding => mark.remindAt !== null)
        .toSorted((one, other) => (one.remindAt < other.remindAt ? -1 : 1)),
    [],
  );
  const marks = read.state === 'ready' ? read.value : none;
  const [at, setAt] = useState(now);
  useEffect(() => {
    const look = () => setAt(now());
    const next = marks.find(({ remindAt }) => remindAt > at);
    // A longer timer than some weeks fires at once, and a clock that is set meanwhile is looked at again.
    const ms =
      next === undefined ? undefined : Math.min(hour, Math.max(0, Date.parse(next.remindAt) - Date.parse(now())) + 50);
    const timer = ms === undefined ? undefined : setTimeout(look, ms);
    // A phone that slept has run no timer.
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [marks, at, now]);
  return useMemo(() => marks.filter(({ remindAt }) => remindAt <= at), [marks, at]);
}
