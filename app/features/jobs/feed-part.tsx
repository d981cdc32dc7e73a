import { useEffect, useRef, useState } from 'react';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import { useWatched } from '../../context/use-watched.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { count } from '../../words/common-words.ts';
import { onceReached } from '../../words/reach-words.ts';
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

/** The region that the filters name where the feed is here in part. */
export interface AskedRegion {
  readonly name: string;
  /** All of its jobs are on this device, and no others can be meant. */
  readonly isHere: boolean;
  /** Its jobs are on their way, or come with the next signal. */
  readonly isComing: boolean;
  /** It was here, and gave way to regions that were chosen since, in another tab as a rule. */
  readonly hasLeft: boolean;
  /** Asks for it again. */
  fetch(): void;
}

/** Asks once for what the person has chosen: tabs with other regions would take them from each other without end. */
export function useAskedRegion(
  { region, locationId, withinKm }: JobFilters,
  lists: ReferenceLists,
): AskedRegion | undefined {
  const { feed, feedRest } = useSessionContext();
  const { held } = useWatched(feed);
  // What is within so many kilometres of a town may lie beyond its region.
  const named = region ?? (locationId === null ? undefined : lists.place(locationId)?.region);
  const name = named === undefined || lists.regions.includes(named) ? named : undefined;
  const isHeld = name !== undefined && held?.regions.includes(name) === true;
  const isPart = held !== undefined;
  const [seen, setSeen] = useState<{ readonly name: string; readonly wasHere: boolean }>();
  if (isPart && name !== undefined && (seen?.name !== name || (isHeld && !seen.wasHere)))
    setSeen({ name, wasHere: isHeld });
  const asked = useRef<string>(undefined);
  useEffect(() => {
    if (!isPart || asked.current === name) return;
    asked.current = name;
    if (name !== undefined) feedRest.ask(name, isHeld);
  }, [feedRest, isPart, isHeld, name]);
  if (!isPart || name === undefined) return undefined;
  const fetch = () => {
    setSeen({ name, wasHere: false });
    feedRest.ask(name, false);
  };
  const hasLeft = !isHeld && seen?.wasHere === true;
  return { name, isHere: isHeld && withinKm === null, isComing: !isHeld && !hasLeft, hasLeft, fetch };
}

/** Says which jobs are on this phone where all would be too many, and how the others come. */
export function SomeRegions({ asked }: { readonly asked: AskedRegion | undefined }) {
  const { held } = useWatched(useSessionContext().feed);
  const { connection } = useApp();
  const { kind } = useWatched(connection);
  if (held === undefined || asked?.isHere === true) return null;
  const isComing = kind === 'online' || kind === 'slow';
  const isMissing = asked !== undefined && !held.regions.includes(asked.name);
  const { coming } = held;
  const done =
    isMissing && isComing && coming?.regions.includes(asked.name) === true && coming.of > 0
      ? Math.round((100 * coming.here) / coming.of)
      : undefined;
  if (isMissing && asked.hasLeft)
    return (
      <div className={styles.above}>
        <p role="status">Jobs in {asked.name} have left this phone, because other regions were chosen since.</p>
        <QuickButton variant="plain" onPress={asked.fetch}>
          Get them again
        </QuickButton>
      </div>
    );
  const others =
    held.elsewhere === 0 ? '' : ` ${count(held.elsewhere, 'job')} in others: choose a region to get its jobs.`;
  return (
    <div className={styles.above}>
      <p role="status">
        {!isMissing
          ? `Jobs in the regions you work in, and in those you have chosen last.${others}`
          : isComing
            ? `Fetching jobs in ${asked.name}`
            : `Jobs in ${asked.name} are not on this phone. They come ${onceReached(kind)}.`}
      </p>
      {done !== undefined && <p>{done} %</p>}
    </div>
  );
}
