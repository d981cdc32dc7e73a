import { useEffect, useMemo, useRef, useState } from 'react';
import { useSessionContext } from '../../context/app-context.ts';
import { useWatched } from '../../context/use-watched.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { regionsWithin, type DistanceContext } from './distances.ts';
import type { JobFilters } from './job-filters.ts';

/** So many come by themselves; a distance of 200 km reaches nearly half of the country. */
const maxAtOnce = 3;

/** The regions that the filters can find jobs in, where the feed is here in part. */
export interface AskedRegions {
  /** All of their jobs are on this device. */
  readonly isHere: boolean;
  /** Those whose jobs are on their way, or come with the next signal. */
  readonly coming: readonly string[];
  /** Those that were here, and gave way to regions that were chosen since, in another tab as a rule. */
  readonly left: readonly string[];
  /** Those that the distance reaches as well, and nothing brings by itself. */
  readonly beyond: readonly string[];
  /** Asks for all that are not here. */
  fetch(): void;
}

/** The nearest first; none where the filters name none. */
function regionsOf(
  { region, locationId, withinKm }: JobFilters,
  nearness: DistanceContext,
  lists: ReferenceLists,
): readonly string[] {
  if (withinKm !== null) {
    if (!nearness.isRead) return [];
    const distances = locationId === null ? nearness.distances : nearness.distancesFrom(locationId);
    if (distances !== undefined) return regionsWithin(withinKm, distances, lists);
  }
  const named = region ?? lists.place(locationId)?.region;
  return named !== undefined && lists.regions.includes(named) ? [named] : [];
}

interface Choice {
  readonly key: string;
  readonly asked: readonly string[];
  readonly wereHere: readonly string[];
}

/** Asks once for what the person has chosen: tabs with other regions would take them from each other without end. */
export function useAskedRegions(
  filters: JobFilters,
  nearness: DistanceContext,
  lists: ReferenceLists,
): AskedRegions | undefined {
  const { feed, feedRest } = useSessionContext();
  const { held } = useWatched(feed);
  const names = useMemo(() => regionsOf(filters, nearness, lists), [filters, nearness, lists]);
  const key = names.join('\n');
  const isPart = held !== undefined;
  const here = names.filter((name) => held?.regions.includes(name));
  const missing = names.filter((name) => !here.includes(name));
  const [choice, setChoice] = useState<Choice>();
  let { asked, wereHere }: Omit<Choice, 'key'> = choice ?? { asked: [], wereHere: [] };
  if (isPart && choice?.key !== key) {
    asked = missing.slice(0, maxAtOnce);
    wereHere = here;
    setChoice({ key, asked, wereHere });
  } else if (choice !== undefined && here.some((name) => !wereHere.includes(name))) {
    wereHere = [...new Set([...wereHere, ...here])];
    setChoice({ ...choice, wereHere });
  }
  const askedFor = useRef<string>(undefined);
  useEffect(() => {
    if (!isPart || askedFor.current === key) return;
    askedFor.current = key;
    const wanted = names.filter((name) => here.includes(name) || asked.includes(name));
    if (wanted.length > 0) feedRest.ask(wanted, here);
  });
  if (!isPart || names.length === 0) return undefined;
  const left = missing.filter((name) => wereHere.includes(name));
  const coming = missing.filter((name) => asked.includes(name) && !left.includes(name));
  return {
    isHere: missing.length === 0,
    coming,
    left,
    beyond: missing.filter((name) => !left.includes(name) && !coming.includes(name)),
    fetch: () => {
      setChoice({ key, asked: missing, wereHere: here });
      feedRest.ask(names, here);
    },
  };
}
