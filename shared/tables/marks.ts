import * as z from 'zod/mini';
import { defineTable } from './define-table.ts';
import { id, instant } from './fields.ts';

/**
 * What one tradie has noted of a job for themself: hidden, or kept for later. No other person ever gets it, the job's
 * owner included.
 */
export const marks = defineTable(
  'marks',
  z.object({
    id,
    userId: id,
    jobId: id,
    /** What the job was called when it was marked, by the device: the feed forgets a job that closes. */
    title: z.string(),
    /** Null: shown in the feed. */
    hiddenAt: z.nullable(instant),
    /** Null: not on the shortlist. */
    shortlistedAt: z.nullable(instant),
    /** When the person's own devices remind them of it. */
    remindAt: z.nullable(instant),
  }),
  { indexes: ['jobId'], unique: [['userId', 'jobId']], audience: [{ column: 'userId' }] },
);
