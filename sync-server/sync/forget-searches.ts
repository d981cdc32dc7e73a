import { sql as rawSql } from 'kysely';
import { daysBefore, maxAtOnce, type RetentionJob } from '../ports/retention-job.ts';

/** Days: as long as an outcome, so that a deletion that a device sends again finds the row, and means nothing new. */
export const removedSearchDays = 180;

/** Saved searches that their person deleted. What was looked for left the row at once. */
export const removedSearches: RetentionJob = {
  name: 'searches',
  says: 'saved searches, emptied when they were deleted, 180 days later',
  async count(sql, now) {
    const { rows } = await rawSql<{
      old: number;
    }>`select count(*)::int as old from searches where removed_at < ${daysBefore(now, removedSearchDays)}`.execute(sql);
    return rows[0]?.old ?? 0;
  },
  async forget(sql, now) {
    const { rows } = await rawSql`delete from searches where id in (select id from searches
      where removed_at < ${daysBefore(now, removedSearchDays)} limit ${maxAtOnce}) returning id`.execute(sql);
    return { count: rows.length };
  },
};
