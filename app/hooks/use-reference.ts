import { useMemo } from 'react';
import { useApp } from '../context/app-context.ts';
import { createReferenceLists, type ReferenceLists } from '../lib/reference-lists.ts';
import { useWatched } from '../context/use-watched.ts';

/** Categories and towns, from the collection on this device. */
export function useReference(): ReferenceLists & {
  /** Nothing is here, and it may still come. */
  readonly isLoading: boolean;
  /**
   * What this device has is being read: a few milliseconds, worth waiting for so that nothing grows once it is shown.
   */
  readonly isReading: boolean;
} {
  const { reference } = useApp();
  const { rows, status } = useWatched(reference);
  const lists = useMemo(() => createReferenceLists(rows), [rows]);
  return useMemo(
    () => ({ ...lists, isLoading: rows.length === 0 && status !== 'failed', isReading: status === 'starting' }),
    [lists, status, rows],
  );
}
