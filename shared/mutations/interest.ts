import * as z from 'zod/mini';
import { hasSubscription } from '../actor.ts';
import { must } from '../lib/must.ts';
import { id, note } from '../tables/fields.ts';
import { defineMutation } from './define-mutation.ts';
import { Rejection } from './rejection.ts';

export const interestMutations = {
  /** "Here are my details": once expressed it stays. */
  'interest.express': defineMutation({
    on: 'jobs',
    args: z.object({ id, jobId: id, note: z.optional(note) }),
    target: (args) => args.jobId,
    allow: ({ actor, row }) => actor.tradieId !== null && row.userId !== actor.id,
    already: async (tx, { actor, row }) =>
      (await tx.interests.find({ jobId: row.id, tradieId: must(actor.tradieId, 'tradieId') })) !== undefined,
    check: ({ actor, row, now }) => {
      if (!hasSubscription(actor, now)) {
        return new Rejection('subscription-required', 'Your subscription has ended, so your interest was not sent.');
      }
      if (row.status === 'closed') {
        return new Rejection('job-closed', 'This job closed before your interest was sent.');
      }
      return undefined;
    },
    apply: async (tx, { actor, args, row, now }) => {
      await tx.interests.insert({
        id: args.id,
        jobId: row.id,
        tradieId: must(actor.tradieId, 'tradieId'),
        userId: actor.id,
        ownerId: row.userId,
        note: args.note ?? '',
        contactedAt: null,
        createdAt: now,
      });
      await tx.jobs.update(row.id, { interestCount: row.interestCount + 1 });
    },
  }),

  /** The owner's private tick: "I have contacted this tradie". */
  'interest.tick': defineMutation({
    on: 'interests',
    args: z.object({ id, contacted: z.boolean() }),
    allow: ({ actor, row }) => row.ownerId === actor.id,
    // The first tick says when; the same again says nothing new.
    already: async (_tx, { args, row }) => (row.contactedAt !== null) === args.contacted,
    apply: (tx, { args, row, now }) => tx.interests.update(row.id, { contactedAt: args.contacted ? now : null }),
  }),
};
