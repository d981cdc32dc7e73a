import * as z from 'zod/mini';
import { defineTable } from './define-table.ts';
import { id } from './fields.ts';

/** What a person has set up for themself: one row at most, under the person's own id. Without one everything is as `defaultPreferences`. */
export const preferences = defineTable(
  'preferences',
  z.object({
    id,
    userId: id,
    /** A tradie whose interest this homeowner has opened is told that it was seen. */
    tellsSeen: z.boolean(),
    /** Texts to answer jobs with, in their order. */
    preparedNotes: z.array(z.string()),
    /** Ids of the saved searches, in their order. */
    searchOrder: z.array(z.string()),
  }),
  { unique: [['userId']], audience: [{ column: 'userId' }] },
);

export const defaultPreferences = (userId: string) => ({
  id: userId,
  userId,
  tellsSeen: true,
  preparedNotes: [] as string[],
  searchOrder: [] as string[],
});
