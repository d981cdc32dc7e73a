import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { FindJobsPage } from '../features/jobs/find-jobs-page.tsx';
import { filtersOf, searchOf, type JobFilters } from '../features/jobs/job-filters.ts';
import { useOptimisticValue } from '../hooks/use-optimistic-value.ts';
import { useLeadsBack } from './use-back-to.ts';

export function FindJobsRoute() {
  const search = useSearch({ from: '/gated/find-jobs' });
  const navigate = useNavigate();
  useLeadsBack('/find-jobs');
  const filters = useMemo(() => filtersOf(search), [search]);
  const change = useCallback(
    (next: JobFilters) =>
      void navigate({ to: '/find-jobs', search: searchOf(next), replace: true, resetScroll: false }),
    [navigate],
  );
  const [now, choose] = useOptimisticValue(filters, change);
  return <FindJobsPage filters={now} onFilters={choose} />;
}
