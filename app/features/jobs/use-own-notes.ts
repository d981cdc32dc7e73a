import { useMemo } from 'react';
import type { Mark } from '../../../shared/tables/index.ts';
import { useSessionContext } from '../../context/app-context.ts';
import { useRows } from '../../db/use-rows.ts';

export interface OwnNotes {
  /** Ids of jobs that this tradie has answered. */
  readonly interestedIn: ReadonlySet<string> | undefined;
  /** Ids of jobs that they have hidden. */
  readonly hidden: ReadonlySet<string> | undefined;
  /** What they have saved for later, by the job's id, the latest first. */
  readonly shortlisted: ReadonlyMap<string, Mark> | undefined;
}

/** What this tradie did with jobs of the feed; undefined while it is read. Each set stays the same until it changes. */
export function useOwnNotes(tradieId: string | null): OwnNotes {
  const { db } = useSessionContext();
  const interests = useRows(
    db,
    ['interests'],
    (rows) => new Set([...rows.interests.values()].flatMap((row) => (row.tradieId === tradieId ? [row.jobId] : []))),
    [tradieId],
  );
  const marks = useRows(
    db,
    ['marks'],
    (rows) => {
      const all = [...rows.marks.values()];
      const kept = all.filter(({ shortlistedAt }) => shortlistedAt !== null);
      return {
        hidden: new Set(all.filter(({ hiddenAt }) => hiddenAt !== null).map(({ jobId }) => jobId)),
        shortlisted: new Map(
          kept
            .toSorted((one, other) => ((one.shortlistedAt ?? '') < (other.shortlistedAt ?? '') ? 1 : -1))
            .map((mark) => [mark.jobId, mark]),
        ),
      };
    },
    [],
  );
  const interestedIn = interests.state === 'ready' ? interests.value : undefined;
  const { hidden, shortlisted } = marks.state === 'ready' ? marks.value : { hidden: undefined, shortlisted: undefined };
  return useMemo(() => ({ interestedIn, hidden, shortlisted }), [interestedIn, hidden, shortlisted]);
}
