import { useEffect } from 'react';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import { useWatched } from '../../context/use-watched.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { count } from '../../words/common-words.ts';
import { onceReached } from '../../words/reach-words.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QuickButton } from '../../ui/quick-button.tsx';
import styles from './browse-jobs.module.css';
import type { JobFilters } from './job-filters.ts';

/**
 * How much of the feed is on this device: all of it; a part, and more is coming; the person's own regions, and the
 * rest is held back to save data; or some regions, because all would be too much.
 */
export type FeedPart = 'whole' | 'coming' | 'held-back' | 'regions';

export function useFeedPart(): FeedPart {
  const { status, held } = useWatched(useSessionContext().feed);
  if (status === 'part' && held !== undefined) return 'regions';
  return status === 'part' ? 'held-back' : status === 'filling' ? 'coming' : 'whole';
}

/** Says that jobs elsewhere are not on this device, and gets them. */
export function HeldBack() {
  const { feedRest } = useSessionContext();
  return (
    <div className={styles.above}>
      <p>Jobs in your own regions only, because this browser saves data.</p>
      <QuickButton variant="plain" onPress={feedRest.fetch}>
        Get all jobs
      </QuickButton>
    </div>
  );
}

/**
 * The region that the filters name where the feed is here in part, and whether its jobs are; asks for those that are
 * not. Undefined: the filters name none, or the feed is here whole.
 */
export function useAskedRegion(
  { region, locationId, withinKm }: JobFilters,
  lists: ReferenceLists,
): { readonly name: string; readonly isHere: boolean } | undefined {
  const { feed, feedRest } = useSessionContext();
  const { held } = useWatched(feed);
  // What is within so many kilometres of a town may lie beyond its region.
  const name = region ?? (locationId === null ? undefined : lists.place(locationId)?.region);
  const isHere = name !== undefined && held?.regions.includes(name) === true;
  const isMissing = held !== undefined && !isHere;
  useEffect(() => {
    if (isMissing && name !== undefined) feedRest.ask(name);
  }, [feedRest, isMissing, name]);
  return held === undefined || name === undefined ? undefined : { name, isHere: isHere && withinKm === null };
}

/** Says which jobs are on this phone where all would be too many, and how the others come. */
export function SomeRegions({ asked }: { readonly asked: ReturnType<typeof useAskedRegion> }) {
  const { held } = useWatched(useSessionContext().feed);
  const { connection } = useApp();
  const { kind } = useWatched(connection);
  if (held === undefined || asked?.isHere === true) return null;
  const isComing = kind === 'online' || kind === 'slow';
  const isMissing = asked !== undefined && !held.regions.includes(asked.name);
  const { coming } = held;
  return (
    <div className={styles.above}>
      <p role="status">
        {!isMissing
          ? `Jobs in the regions you work in, and in those you have chosen last. ${count(held.elsewhere, 'job')} in others: choose a region to get its jobs.`
          : !isComing
            ? `Jobs in ${asked.name} are not on this phone. They come ${onceReached(kind)}.`
            : coming?.regions.includes(asked.name) === true
              ? `Fetching jobs in ${asked.name}: ${Math.round((100 * coming.here) / Math.max(1, coming.of))} %`
              : `Fetching jobs in ${asked.name}`}
      </p>
    </div>
  );
}

/** Where nothing was found in the part that is here, that is not to say that there is nothing. */
export function NoneFoundSoFar() {
  return (
    <EmptyState title="No jobs found so far">
      <p>Only a part of the jobs is on this phone yet.</p>
    </EmptyState>
  );
}
