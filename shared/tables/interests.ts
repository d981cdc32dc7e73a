import * as z from 'zod/mini';
import { defineTable } from './define-table.ts';
import { id, instant } from './fields.ts';

/** A tradie's interest in a job: seen by the tradie who expressed it and by the job's owner only. */
export const interests = defineTable(
  'interests',
  z.object({
    id,
    jobId: id,
    tradieId: id,
    /** The tradie's own user. */
    userId: id,
    /** The job's owner; null in the tradie's copy. */
    ownerId: z.nullable(id),
    note: z.string(),
    /** The owner's private tick "I have contacted them"; null in the tradie's copy. */
    contactedAt: z.nullable(instant),
    /** The owner's private note on this tradie; null in the tradie's copy, and where there is none. */
    ownerNote: z.nullable(z.string()),
    /** When the owner first opened it; null in the tradie's copy. */
    seenAt: z.nullable(instant),
    /** The owner has seen it, and lets the tradie know: that much and no more. */
    isSeen: z.boolean(),
    createdAt: instant,
  }),
  {
    indexes: ['jobId', 'tradieId'],
    unique: [['jobId', 'tradieId']],
    audience: [{ column: 'userId' }, { column: 'ownerId' }],
    onlyFor: { ownerId: 'ownerId', contactedAt: 'ownerId', ownerNote: 'ownerId', seenAt: 'ownerId' },
  },
);
