import { useMemo } from 'react';
import { day } from '../../../shared/lib/durations.ts';
import type { Interest, Job, Tradie } from '../../../shared/tables/index.ts';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import { leftDrafts } from '../../db/draft-slots.ts';
import { useLive, type Live } from '../../db/use-live.ts';
import { useRows } from '../../db/use-rows.ts';
import { nextVisit, type Visit } from './last-visit.ts';
import type { PostJobDraft } from './post-job-form.tsx';

export interface Answered {
  readonly job: Job;
  readonly interest: Interest;
  readonly tradie: Tradie;
}

/**
 * What is new in the saved searches, or in this tradie's trades where they keep none; whether they do is undefined
 * while it is read.
 */
export interface FoundJobs {
  readonly hasSearches: boolean | undefined;
  readonly found: readonly {
    readonly id: string;
    /** Where they were found, as `in “Roofs”`. */
    readonly where: string;
    readonly newCount: number;
    readonly href: string;
  }[];
}

/** What happened since the person last looked at the dashboard on this device. */
export interface News {
  /** ISO instant; jobs and answers after it are new. */
  readonly since: string;
  /** Tradies who answered one's own jobs, the newest first. */
  readonly answered: readonly Answered[];
  /** Jobs that this tradie had answered, and that were closed since. */
  readonly closed: readonly Job[];
  /** A new job that was begun and not posted. */
  readonly unfinished: { readonly title: string; readonly savedAt: string } | undefined;
  /** Trades of this tradie's business. */
  readonly categoryIds: readonly string[];
  /** The town of that business. */
  readonly locationId: string | null;
  readonly tradieId: string | null;
  /** They joined days ago. */
  readonly isNewTradie: boolean;
}

const newForMs = 14 * day;

/** Nothing until all of it is read, so that nothing on the page moves when it comes. */
export function useNews(): Live<News> {
  const { db, userId } = useSessionContext();
  const { now } = useApp();
  const happened = useRows(
    db,
    ['meta/home', 'users', 'jobs', 'interests', 'tradies'],
    ({ meta, users, jobs, interests, tradies }) => {
      const { since } = nextVisit(meta.get('home')?.value as Visit | undefined, now());
      const tradieId = users.get(userId)?.tradieId ?? null;
      const own = tradieId === null ? undefined : tradies.get(tradieId);
      return {
        since,
        answered: [...interests.values()]
          .flatMap((interest): Answered[] => {
            const [job, tradie] = [jobs.get(interest.jobId), tradies.get(interest.tradieId)];
            const isNew = interest.createdAt > since && job?.userId === userId && tradie !== undefined;
            return isNew ? [{ interest, job, tradie }] : [];
          })
          .toSorted((one, other) => (one.interest.createdAt < other.interest.createdAt ? 1 : -1)),
        closed: [...jobs.values()].filter(
          ({ userId: owner, closedAt }) => owner !== userId && closedAt !== null && closedAt > since,
        ),
        categoryIds: own?.categoryIds ?? [],
        locationId: own?.locationId ?? null,
        tradieId,
        isNewTradie: own !== undefined && Date.parse(now()) - Date.parse(own.createdAt) < newForMs,
      };
    },
    [now, userId],
  );
  const begun = useLive(async () => {
    for (const draft of (await leftDrafts(db, 'post-job')).values()) {
      const title = (draft?.value as PostJobDraft | undefined)?.fields.title.trim() ?? '';
      if (draft !== undefined && title !== '') return { title, savedAt: draft.savedAt };
    }
    return undefined;
  }, [db]);
  return useMemo(() => {
    if (happened.state !== 'ready') return happened;
    return begun.state === 'ready' ? { state: 'ready', value: { ...happened.value, unfinished: begun.value } } : begun;
  }, [begun, happened]);
}
