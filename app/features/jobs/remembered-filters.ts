import { useCallback, useEffect, useRef, useState } from 'react';
import { useSessionContext } from '../../context/app-context.ts';
import type { RawSearch } from '../../lib/read-search.ts';
import { filtersOf, readJobSearch, searchOf, type JobFilters } from './job-filters.ts';

type ChangeFilters = (filters: JobFilters) => void;

/** A dragged slider is one change. */
const restMs = 400;

/**
 * The filters as this person last left them on this device. They apply where the address names none (`isBare`): a link
 * that does says what is to be seen. What was searched for is not among them: a list without a word that one typed days
 * ago would look empty.
 */
export function useRememberedFilters(
  isBare: boolean,
  onFilters: ChangeFilters,
): {
  /** False while it is not known yet which filters apply. */
  readonly isRead: boolean;
  /** Changes the filters and remembers them. */
  readonly change: ChangeFilters;
} {
  const { db } = useSessionContext();
  const [isRead, setRead] = useState(!isBare);
  const waiting = useRef<{ readonly timer: ReturnType<typeof setTimeout>; readonly writeNow: () => void }>(undefined);

  useEffect(() => {
    if (isRead) return undefined;
    let isGone = false;
    const apply = (kept: unknown) => {
      if (isGone) return;
      if (kept !== undefined) onFilters(filtersOf(readJobSearch(kept as RawSearch)));
      setRead(true);
    };
    // A browser that keeps nothing: the first values apply, as at the first visit.
    db.meta.get('filters').then(
      (entry) => apply(entry?.value),
      () => apply(undefined),
    );
    return () => {
      isGone = true;
    };
  }, [db, isRead, onFilters]);
  useEffect(() => () => waiting.current?.writeNow(), []);

  const change = useCallback<ChangeFilters>(
    (next) => {
      onFilters(next);
      clearTimeout(waiting.current?.timer);
      const writeNow = () => {
        clearTimeout(waiting.current?.timer);
        waiting.current = undefined;
        const value = searchOf({ ...next, text: '', onlyHidden: false, onlyShortlisted: false });
        // The filters apply all the same; a phone that is full, or a database that is closed, loses a convenience.
        void db.meta.put({ key: 'filters', value }).catch(() => undefined);
      };
      waiting.current = { timer: setTimeout(writeNow, restMs), writeNow };
    },
    [db, onFilters],
  );
  return { isRead, change };
}
