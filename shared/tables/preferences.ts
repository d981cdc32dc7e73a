import * as z from 'zod/mini';
import { defineTable } from './define-table.ts';
import { id } from './fields.ts';

const clockHour = z.int().check(z.gte(0), z.lte(23));
const mailJobs = z.enum(['off', 'daily', 'now']);
const alertsPerDay = z.int().check(z.gte(1), z.lte(100));

/** What a person wants to change of how they are told of news. */
export const alertChoice = z.partial(
  z.object({
    pushInterests: z.boolean(),
    pushJobs: z.boolean(),
    mailJobs,
    quietFrom: clockHour,
    quietTo: clockHour,
    alertsPerDay,
  }),
);

/**
 * What a person has set up for themself: one row at most, under the person's own id. Without one everything is as
 * `defaultPreferences`.
 */
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
    /** A homeowner's phones tell of an interest. */
    pushInterests: z.boolean(),
    /** A tradie's phones tell of new jobs that a saved search finds. */
    pushJobs: z.boolean(),
    /** New jobs that no phone told of come by mail: never, each morning, or at once. */
    mailJobs,
    /**
     * From this hour up to that one no phone makes a sound; the same twice: never quiet. Hours of the clock in New
     * Zealand.
     */
    quietFrom: clockHour,
    quietTo: clockHour,
    /** Messages a day, at most; the rest waits for the morning. */
    alertsPerDay,
  }),
  { unique: [['userId']], audience: [{ column: 'userId' }] },
);

export const defaultPreferences = (userId: string) => ({
  id: userId,
  userId,
  tellsSeen: true,
  preparedNotes: [] as string[],
  searchOrder: [] as string[],
  pushInterests: true,
  pushJobs: true,
  mailJobs: 'daily' as const,
  quietFrom: 21,
  quietTo: 7,
  alertsPerDay: 10,
});
