import * as z from 'zod/mini';
import { defineTable } from './define-table.ts';
import { id, instant, urgency } from './fields.ts';

/**
 * A saved search of a tradie's: what a job must be to be found. Their order, and which are kept:
 * `preferences.searchOrder`.
 */
export const searches = defineTable(
  'searches',
  z.object({
    id,
    userId: id,
    name: z.string(),
    /** Any of these trades; all where there is none. */
    categoryIds: z.array(z.string()),
    region: z.nullable(z.string()),
    locationId: z.nullable(z.string()),
    /** Kilometres from that town; null: in that town itself. */
    withinKm: z.nullable(z.int()),
    /** Whole dollars at most; null: no limit. A job without a budget is found as well. */
    maxBudget: z.nullable(z.int()),
    /** Any of these; all where there is none. */
    urgencies: z.array(urgency),
    words: z.string(),
    /**
     * Up to where its person has looked: the time at which the newest job they saw in it was posted. Later ones are
     * new.
     */
    lookedUntil: z.nullable(instant),
    createdAt: instant,
    /** Deleted by its person; the row itself leaves a day later. */
    removedAt: z.nullable(instant),
  }),
  { audience: [{ column: 'userId' }], references: { categoryIds: 'category', locationId: 'location' } },
);
