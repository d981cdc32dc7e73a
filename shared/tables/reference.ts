import * as z from 'zod/mini';
import { defineTable } from './define-table.ts';
import { instant } from './fields.ts';

/** The lists to choose from: trade categories and towns, in one table because they travel in one collection. */
export const reference = defineTable(
  'reference',
  z.object({
    /** A stable name: `builder`, `northland/kaitaia`. Region and town names alone are not unique. */
    id: z.string(),
    kind: z.enum(['category', 'location']),
    /** The category's name, or the town's. */
    name: z.string(),
    region: z.nullable(z.string()),
    /** Where a town is: degrees, WGS 84. Null for categories. */
    latitude: z.nullable(z.number()),
    longitude: z.nullable(z.number()),
    /** Its position is known to some 2 km only. Null for categories. */
    isApproximate: z.nullable(z.boolean()),
    createdAt: instant,
  }),
);
