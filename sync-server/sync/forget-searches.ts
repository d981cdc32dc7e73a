import type { Sql } from '../db/database.ts';
import { writable } from '../db/write-rows.ts';
import { daysBefore, maxAtOnce, type RetentionJob } from '../ports/retention-job.ts';

/** Days: as long as an outcome, so that a deletion that a device sends again finds the row, and means nothing new. */
export const removedSearchDays = 180;

const oldOnes = (sql: Sql, now: Date) =>
  sql.selectFrom('searches').where('removed_at', '<', daysBefore(now, removedSearchDays));

/** Saved searches that their person deleted. What was looked for left the row at once. */
export const removedSearches: RetentionJob = {
  name: 'searches',
  says: 'saved searches, emptied when they were deleted, 180 days later',
  async count(sql, now) {
    const { old } = await oldOnes(sql, now)
      .select(({ fn, cast }) => cast<number>(fn.countAll(), 'integer').as('old'))
      .executeTakeFirstOrThrow();
    return old;
  },
  async forget(sql, now) {
    const rows = await writable(sql)
      .deleteFrom('searches')
      .where('id', 'in', oldOnes(sql, now).select('id').limit(maxAtOnce))
      .returning('id')
      .execute();
    return { count: rows.length };
  },
};
