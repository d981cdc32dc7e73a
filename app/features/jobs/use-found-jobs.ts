import { useDeferredValue, useMemo, useState } from 'react';
import { createCountOverBudget, createFindJobs, type FeedJob, type FilterContext } from './filter-jobs.ts';
import type { JobFilters } from './job-filters.ts';
import { useJobsOf } from './map-choice.tsx';

/**
 * What the filters find: `jobs` of it are in the towns chosen on the map, and `above` more would be there without the
 * budget. Nothing is known until `context` is read.
 */
export function useFoundJobs(
  rows: readonly FeedJob[],
  filters: JobFilters,
  context: FilterContext | undefined,
  towns: readonly string[],
) {
  // The letter just typed is painted first; what it finds among thousands follows in a frame or two.
  const wanted = useDeferredValue(filters);
  const [findJobs] = useState(createFindJobs);
  const [countAbove] = useState(createCountOverBudget);
  const found = useMemo(
    () => (context === undefined ? undefined : findJobs(rows, wanted, context)),
    [findJobs, rows, wanted, context],
  );
  const above = useMemo(
    () => (context === undefined ? 0 : countAbove(rows, wanted, context)),
    [countAbove, rows, wanted, context],
  );
  return { wanted, found, jobs: useJobsOf(found, towns), above };
}
