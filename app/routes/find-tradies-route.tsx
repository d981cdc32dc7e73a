import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { FindTradiesPage } from '../features/tradies/find-tradies-page.tsx';
import { filtersOf, searchOf, type TradieFilters } from '../features/tradies/tradie-filters.ts';
import { useOptimisticValue } from '../hooks/use-optimistic-value.ts';

export function FindTradiesRoute() {
  const search = useSearch({ from: '/find-tradies' });
  const navigate = useNavigate();
  const filters = useMemo(() => filtersOf(search), [search]);
  const change = useCallback(
    (next: TradieFilters) =>
      void navigate({ to: '/find-tradies', search: searchOf(next), replace: true, resetScroll: false }),
    [navigate],
  );
  const [now, choose] = useOptimisticValue(filters, change);
  return <FindTradiesPage filters={now} onFilters={choose} />;
}
