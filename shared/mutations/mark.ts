import * as z from 'zod/mini';
import { id, instant, sameInstant, title } from '../tables/fields.ts';
import type { Mark } from '../tables/index.ts';
import { defineCreation } from './define-mutation.ts';
import { notFound } from './rejection.ts';

type Marked = Pick<Mark, 'title' | 'hiddenAt' | 'shortlistedAt' | 'remindAt'>;
const unmarked: Marked = { title: '', hiddenAt: null, shortlistedAt: null, remindAt: null };

const since = (wanted: boolean | undefined, before: string | null, now: string) =>
  wanted === undefined ? before : wanted ? (before ?? now) : null;

export const markMutations = {
  /**
   * A tradie's private note on a job: hidden from their feed, or kept for later, with a reminder. What is left out
   * stays as it is. It needs no subscription, because it says nothing of the job that its person did not say. A job
   * that is gone can be unmarked.
   */
  'job.mark': defineCreation({
    args: z.object({
      id,
      jobId: id,
      title: z.optional(title),
      hidden: z.optional(z.boolean()),
      shortlisted: z.optional(z.boolean()),
      remindAt: z.optional(z.nullable(instant)),
    }),
    reads: ({ jobId }) => ({ table: 'jobs', id: jobId }),
    allow: ({ actor }) => actor.tradieId !== null,
    apply: async (tx, { actor, args, now }) => {
      const jobId = args.jobId.toLowerCase();
      const [job, mark] = [await tx.jobs.get(jobId), await tx.marks.find({ userId: actor.id, jobId })];
      const before = mark ?? unmarked;
      const shortlistedAt = since(args.shortlisted, before.shortlistedAt, now);
      const wanted = args.remindAt === undefined ? before.remindAt : sameInstant(args.remindAt);
      const marked: Marked = {
        title: args.title ?? before.title,
        hiddenAt: since(args.hidden, before.hiddenAt, now),
        shortlistedAt,
        // A reminder is of something on the shortlist.
        remindAt: shortlistedAt === null ? null : wanted,
      };
      if (mark !== undefined) return tx.marks.update(mark.id, marked);
      if (marked.hiddenAt === null && shortlistedAt === null) return;
      if (job === undefined || job.userId === actor.id) throw notFound();
      await tx.marks.insert({ id: args.id, userId: actor.id, jobId, ...marked });
    },
  }),
};
