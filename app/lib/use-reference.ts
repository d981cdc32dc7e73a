import { useMemo } from 'react';
import { useApp } from '../app-context.ts';
import { makeReferenceLists, type ReferenceLists } from './reference-lists.ts';
import { useWatched } from './watched.ts';

/** Categories and towns, from the shelf on this device. */
export function useReference(): ReferenceLists & { readonly isLoading: boolean } {
  const { reference } = useApp();
  const { rows, status } = useWatched(reference);
  const lists = useMemo(() => makeReferenceLists(rows), [rows]);
  return useMemo(() => ({ ...lists, isLoading: rows.length === 0 && status !== 'failed' }), [lists, status, rows]);
}
