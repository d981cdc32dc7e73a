import * as z from 'zod/mini';
import { defineTable } from './define-table.ts';
import { id, instant, urgency } from './fields.ts';

/** A private job: its owner's, and seen by the tradies who expressed interest, also once it is closed. */
export const jobs = defineTable(
  'jobs',
  z.object({
    id,
    /** The owner; null in everyone else's copy. */
    userId: z.nullable(id),
    title: z.string(),
    description: z.string(),
    locationId: z.nullable(z.string()),
    budgetMin: z.nullable(z.number()),
    budgetMax: z.nullable(z.number()),
    urgency,
    categoryId: z.string(),
    status: z.enum(['active', 'closed']),
    /** The photos, each by its bucket and path, in the order they were added; five at most. */
    images: z.array(z.string()),
    interestCount: z.int(),
    /** Older jobs name a place by hand instead of a location. */
    address: z.nullable(z.string()),
    suburb: z.nullable(z.string()),
    createdAt: instant,
    closedAt: z.nullable(instant),
  }),
  {
    indexes: ['userId', 'createdAt'],
    audience: [{ column: 'userId' }, { through: 'interests', match: 'jobId', column: 'userId' }],
    onlyFor: { userId: 'userId' },
    references: { locationId: 'location', categoryId: 'category' },
  },
);
