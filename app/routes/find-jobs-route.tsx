import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { FindJobsPage } from '../features/jobs/find-jobs-page.tsx';
import {
  filtersOf,
  mapViewOf,
  hasNoFilter,
  searchOf,
  searchOfMap,
  type JobFilters,
  type MapView,
} from '../features/jobs/job-filters.ts';
import { useOptimisticValue } from '../hooks/use-optimistic-value.ts';
import { useLeadsBack } from './use-back-to.ts';

export function FindJobsRoute() {
  const search = useSearch({ from: '/gated/find-jobs' });
  const navigate = useNavigate({ from: '/find-jobs' });
  useLeadsBack('/find-jobs');
  const filters = useMemo(() => filtersOf(search), [search]);
  const change = useCallback(
    (next: JobFilters) =>
      void navigate({
        to: '/find-jobs',
        search: ({ job, map, on }) => ({ ...searchOf(next), job, map, on }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  const chooseJob = useCallback(
    (job: string | undefined) =>
      void navigate({
        to: '/find-jobs',
        search: (before) => ({ ...before, job }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  const mapView = useMemo(() => mapViewOf(search), [search]);
  const changeMap = useCallback(
    (next: MapView) =>
      void navigate({
        to: '/find-jobs',
        search: (before) => ({ ...before, ...searchOfMap(next) }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  const open = useCallback((id: string) => void navigate({ to: '/job/$id', params: { id } }), [navigate]);
  const [now, choose] = useOptimisticValue(filters, change);
  return (
    <FindJobsPage
      filters={now}
      isBare={hasNoFilter(search)}
      onFilters={choose}
      chosenId={search.job}
      onChoose={chooseJob}
      onOpen={open}
      mapView={mapView}
      onMapView={changeMap}
    />
  );
}
