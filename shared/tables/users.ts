import * as z from 'zod/mini';
import { defineTable } from './define-table.ts';
import { id, instant } from './fields.ts';

/** One's own account. No other person ever gets it. */
export const users = defineTable(
  'users',
  z.object({
    id,
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    tradieId: z.nullable(id),
    subscriptionStatus: z.nullable(z.string()),
    subscriptionValidUntil: z.nullable(instant),
    createdAt: instant,
  }),
  { audience: [{ column: 'id' }] },
);
