import { useMemo } from 'react';
import { useSessionContext } from '../../context/app-context.ts';
import { useLive } from '../../db/use-live.ts';

interface OwnNotes {
  /** Ids of jobs that this tradie has answered. */
  readonly interestedIn: ReadonlySet<string> | undefined;
  /** Ids of jobs that they have hidden. */
  readonly hidden: ReadonlySet<string> | undefined;
}

/** What this tradie did with jobs of the feed; undefined while it is read. Each set stays the same until it changes. */
export function useOwnNotes(tradieId: string | null): OwnNotes {
  const { db } = useSessionContext();
  const interests = useLive(
    async () =>
      new Set(
        (
          await db.interests
            .where('tradieId')
            .equals(tradieId ?? '')
            .toArray()
        ).map(({ jobId }) => jobId),
      ),
    [db, tradieId],
  );
  const marks = useLive(
    async () =>
      new Set((await db.marks.toArray()).filter(({ hiddenAt }) => hiddenAt !== null).map(({ jobId }) => jobId)),
    [db],
  );
  const interestedIn = interests.state === 'ready' ? interests.value : undefined;
  const hidden = marks.state === 'ready' ? marks.value : undefined;
  return useMemo(() => ({ interestedIn, hidden }), [interestedIn, hidden]);
}
