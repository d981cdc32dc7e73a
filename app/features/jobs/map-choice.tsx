import { useMemo } from 'react';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { QuickButton } from '../../ui/quick-button.tsx';
import styles from './distance-filter.module.css';
import type { FeedJob } from './filter-jobs.ts';
import { clusterTowns } from './map-clusters.ts';

/** The jobs of the towns chosen on the map; all while none is. */
export function useJobsOf(jobs: readonly FeedJob[] | undefined, towns: readonly string[]) {
  const key = towns.join(',');
  return useMemo(() => {
    const chosen = new Set(key === '' ? [] : key.split(','));
    return chosen.size === 0 ? jobs : jobs?.filter(({ locationId }) => locationId !== null && chosen.has(locationId));
  }, [jobs, key]);
}

type MapChoiceProps = {
  readonly towns: readonly string[];
  readonly lists: ReferenceLists;
  readonly onShowAll: () => void;
};

/** What the map leaves of the list, and the way back to all of it. */
export function MapChoice({ towns, lists, onShowAll }: MapChoiceProps) {
  const places = towns.flatMap((id) => lists.place(id) ?? []);
  return (
    <div className={styles.note}>
      <p>{`Chosen on the map: ${clusterTowns({ towns: places }) || 'no known town'}.`}</p>
      <QuickButton variant="plain" onPress={onShowAll}>
        Show all
      </QuickButton>
    </div>
  );
}
