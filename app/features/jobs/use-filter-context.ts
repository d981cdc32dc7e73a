import { useMemo } from 'react';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import type { Nearness } from './distances.ts';
import type { FilterContext } from './filter-jobs.ts';
import type { OwnNotes } from './use-own-notes.ts';

/** What filters ask of a person besides the jobs themselves; undefined until all of it is read. */
export function useFilterContext(
  { interestedIn, hidden, later }: OwnNotes,
  nearness: Nearness,
  lists: ReferenceLists,
): FilterContext | undefined {
  return useMemo(
    () =>
      interestedIn === undefined || hidden === undefined || later === undefined || !nearness.isRead
        ? undefined
        : {
            interestedIn,
            hidden,
            later: new Set(later.keys()),
            regionOf: (id: string) => lists.place(id)?.region,
            ...nearness,
          },
    [interestedIn, hidden, later, lists, nearness],
  );
}
