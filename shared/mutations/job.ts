import * as z from 'zod/mini';
import { moneySchema } from '../lib/money.ts';
import type { Job } from '../tables/index.ts';
import { categoryId, description, id, locationId, title, urgency } from '../tables/fields.ts';
import { defineCreation, defineMutation, type Question } from './define-mutation.ts';
import { mustNotBeStale } from './edit.ts';
import { Rejection } from './rejection.ts';

const budgetMax = z.nullable(moneySchema);
const fields = { title, description, locationId, budgetMax, urgency, categoryId };

const isOwner = ({ actor, row }: Question<'jobs'>) => row.userId === actor.id;

export const jobMutations = {
  /** A homeowner's job, live at once. Photos follow by `photo.attach`. */
  'job.post': defineCreation({
    args: z.object({ id, ...fields, budgetMax: z.optional(budgetMax) }),
    allow: () => true,
    already: async (tx, { actor, args }) => {
      const row = await tx.jobs.get(args.id);
      if (row === undefined) return false;
      if (row.userId === actor.id) return true;
      throw new Rejection('already-exists', 'A job with this id is already there.');
    },
    apply: (tx, { actor, args, now }) =>
      tx.jobs.insert({
        id: args.id,
        userId: actor.id,
        title: args.title,
        description: args.description,
        locationId: args.locationId,
        budgetMin: null,
        budgetMax: args.budgetMax ?? null,
        urgency: args.urgency,
        categoryId: args.categoryId,
        status: 'active',
        images: [],
        interestCount: 0,
        address: null,
        suburb: null,
        createdAt: now,
        closedAt: null,
      }),
  }),

  'job.edit': defineMutation({
    on: 'jobs',
    args: z.object({
      id,
      set: z.partial(z.object(fields)),
      base: z.partial(
        z.object({
          title: z.string(),
          description: z.string(),
          locationId: z.nullable(z.string()),
          budgetMax: z.nullable(z.number()),
          urgency: z.string(),
          categoryId: z.string(),
        }),
      ),
    }),
    allow: isOwner,
    check: ({ row }) =>
      row.status === 'closed' ? new Rejection('job-closed', 'Closed jobs cannot be edited.') : undefined,
    apply: async (tx, { args, row }) => {
      mustNotBeStale(row, args.set, args.base);
      await tx.jobs.update(row.id, args.set as Partial<Job>);
    },
  }),

  'job.close': defineMutation({
    on: 'jobs',
    args: z.object({ id }),
    allow: isOwner,
    already: async (_tx, { row }) => row.status === 'closed',
    // Only controls ask this: a repeat counts as applied.
    check: ({ row }) =>
      row.status === 'closed' ? new Rejection('job-closed', 'This job is closed already.') : undefined,
    apply: (tx, { row, now }) => tx.jobs.update(row.id, { status: 'closed', closedAt: now }),
  }),
};
