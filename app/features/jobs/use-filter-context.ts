import { useMemo } from 'react';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import type { DistanceContext } from './distances.ts';
import type { FilterContext } from './filter-jobs.ts';
import type { OwnNotes } from './use-own-notes.ts';

/** What filters ask of a person besides the jobs themselves; undefined until all of it is read. */
export function useFilterContext(
  { interestedIn, hidden, shortlisted }: OwnNotes,
  nearness: DistanceContext,
  lists: ReferenceLists,
): FilterContext | undefined {
  return useMemo(
    () =>
      interestedIn === undefined || hidden === undefined || shortlisted === undefined || !nearness.isRead
        ? undefined
        : {
            interestedIn,
            hidden,
            shortlisted: new Set(shortlisted.keys()),
            regionOf: (id: string) => lists.place(id)?.region,
            ...nearness,
          },
    [interestedIn, hidden, shortlisted, lists, nearness],
  );
}
