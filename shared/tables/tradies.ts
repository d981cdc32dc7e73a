import * as z from 'zod/mini';
import { defineTable } from './define-table.ts';
import { id, instant } from './fields.ts';

/** A business profile, with its contacts: private to its owner and to the people whose jobs it has answered. */
export const tradies = defineTable(
  'tradies',
  z.object({
    id,
    userId: id,
    businessName: z.string(),
    nzbn: z.string(),
    /** The number passed the check digit or the register. */
    isVerified: z.boolean(),
    /** The logo's bucket and path, or empty. */
    logo: z.string(),
    description: z.string(),
    categoryIds: z.array(z.string()),
    contactPersonFirstName: z.string(),
    contactPersonLastName: z.string(),
    businessAddress: z.string(),
    email: z.string(),
    contactPhone: z.nullable(z.string()),
    locationId: z.nullable(z.string()),
    createdAt: instant,
  }),
  {
    indexes: ['userId'],
    audience: [{ column: 'userId' }, { through: 'interests', match: 'tradieId', column: 'ownerId' }],
    references: { categoryIds: 'category', locationId: 'location' },
  },
);
