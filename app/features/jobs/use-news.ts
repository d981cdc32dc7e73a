import { day } from '../../../shared/lib/durations.ts';
import type { Interest, Job, Tradie } from '../../../shared/tables/index.ts';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import { useWatched } from '../../context/use-watched.ts';
import { useLive, type Live } from '../../db/use-live.ts';
import { nextVisit, type Visit } from './last-visit.ts';
import type { PostJobDraft } from './post-job-form.tsx';

export interface Answered {
  readonly job: Job;
  readonly interest: Interest;
  readonly tradie: Tradie;
}

/** What is new in the saved searches; whether there are any is undefined while they are read. */
export interface FoundJobs {
  readonly hasSearches: boolean | undefined;
  readonly found: readonly {
    readonly id: string;
    readonly name: string;
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

/** Reads it all at once, so that nothing on the page moves when it comes. */
export function useNews(): Live<News> {
  const { db, userId } = useSessionContext();
  const { now } = useApp();
  return useLive(
    () =>
      db.transaction('r', [db.meta, db.users, db.jobs, db.interests, db.tradies, db.drafts], async () => {
        const visit = (await db.meta.get('home'))?.value as Visit | undefined;
        const { since } = nextVisit(visit, now());
        const interests = (await db.interests.toArray()).filter(({ createdAt }) => createdAt > since);
        const answered = await Promise.all(
          interests.map(async (interest) => ({
            interest,
            job: await db.jobs.get(interest.jobId),
            tradie: await db.tradies.get(interest.tradieId),
          })),
        );
        const user = await db.users.get(userId);
        const own = user?.tradieId == null ? undefined : await db.tradies.get(user.tradieId);
        const draft = await db.drafts.get('post-job');
        const title = (draft?.value as PostJobDraft | undefined)?.fields.title.trim() ?? '';
        return {
          since,
          answered: answered
            .filter((one): one is Answered => one.job?.userId === userId && one.tradie !== undefined)
            .toSorted((one, other) => (one.interest.createdAt < other.interest.createdAt ? 1 : -1)),
          closed: (await db.jobs.toArray()).filter(
            ({ userId: owner, closedAt }) => owner !== userId && closedAt !== null && closedAt > since,
          ),
          unfinished: draft === undefined || title === '' ? undefined : { title, savedAt: draft.savedAt },
          categoryIds: own?.categoryIds ?? [],
          locationId: own?.locationId ?? null,
          tradieId: user?.tradieId ?? null,
          isNewTradie: own !== undefined && Date.parse(now()) - Date.parse(own.createdAt) < newForMs,
        };
      }),
    [db, now, userId],
  );
}

/** How many active jobs of these trades came since; none where this person may not read the feed. */
export function useNewJobs({ since, categoryIds }: Pick<News, 'since' | 'categoryIds'>): number {
  const { feed } = useSessionContext();
  const { rows, status } = useWatched(feed);
  if (status !== 'ready' && status !== 'filling') return 0;
  return rows.filter(({ createdAt, categoryId }) => createdAt > since && categoryIds.includes(categoryId)).length;
}
