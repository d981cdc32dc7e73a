import * as z from 'zod/mini';
import { hasSubscription } from '../actor.ts';
import { must } from '../lib/must.ts';
import { id, note } from '../tables/fields.ts';
import { defineMutation, type Question } from './define-mutation.ts';
import { mustNotBeStale } from './edit.ts';
import { preferencesOf } from './own-preferences.ts';
import { Rejection } from './rejection.ts';

const isOwner = ({ actor, row }: Question<'interests'>) => row.ownerId === actor.id;

export const interestMutations = {
  /** "Here are my details": once expressed it stays. */
  'interest.express': defineMutation({
    on: 'jobs',
    args: z.object({ id, jobId: id, note: z.optional(note) }),
    target: (args) => args.jobId,
    makes: 'interests',
    allow: ({ actor, row }) => actor.tradieId !== null && row.userId !== actor.id,
    already: async (tx, { actor, args, row }) => {
      const mine = await tx.interests.find({ jobId: row.id, tradieId: must(actor.tradieId, 'tradieId') });
      if (mine === undefined) return false;
      // Nothing is lost where the second has no words of its own.
      if ([mine.note, ''].includes(args.note ?? '') || mine.id === args.id) return true;
      throw new Rejection('already-exists', 'You had answered this job already, so this note was not sent.');
    },
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
        ownerNote: null,
        seenAt: null,
        isSeen: false,
        createdAt: now,
      });
      await tx.jobs.update(row.id, { interestCount: row.interestCount + 1 });
    },
  }),

  /** The owner's private tick: "I have contacted this tradie". */
  'interest.tick': defineMutation({
    on: 'interests',
    args: z.object({ id, contacted: z.boolean() }),
    allow: isOwner,
    // The first tick says when; a second one says nothing new.
    already: async (_tx, { args, row }) => (row.contactedAt !== null) === args.contacted,
    apply: (tx, { args, row, now }) => tx.interests.update(row.id, { contactedAt: args.contacted ? now : null }),
  }),

  /**
   * The owner has opened it; the tradie learns that much, unless the owner has chosen otherwise. The first time stays.
   */
  'interest.see': defineMutation({
    on: 'interests',
    args: z.object({ id }),
    allow: isOwner,
    already: async (_tx, { row }) => row.seenAt !== null,
    apply: async (tx, { actor, row, now }) =>
      tx.interests.update(row.id, { seenAt: now, isSeen: (await preferencesOf(tx, actor)).tellsSeen }),
  }),

  /** The owner's own note on a tradie: no other person ever gets it. */
  'interest.note': defineMutation({
    on: 'interests',
    args: z.object({
      id,
      set: z.object({ ownerNote: z.nullable(note) }),
      base: z.object({ ownerNote: z.nullable(z.string()) }),
    }),
    allow: isOwner,
    apply: async (tx, { args, row }) => {
      mustNotBeStale(row, args.set, args.base);
      await tx.interests.update(row.id, { ownerNote: args.set.ownerNote === '' ? null : args.set.ownerNote });
    },
  }),
};
