import type { Sql } from '../db/database.ts';
import { writable } from '../db/write-rows.ts';
import { daysBefore, maxAtOnce, type RetentionJob } from '../ports/retention-job.ts';

/** Days after a job was closed in which the two sides may still need each other. */
export const closedJobDays = 365;

const oldJobs = (sql: Sql, now: Date) =>
  sql
    .selectFrom('jobs')
    .where('jobs.status', '=', 'closed')
    .where('jobs.closed_at', '<', daysBefore(now, closedJobDays));

const inOldJobs = (sql: Sql, now: Date, table: 'interests' | 'marks') =>
  sql.selectFrom(table).where(`${table}.job_id`, 'in', oldJobs(sql, now).select('jobs.id')).select(`${table}.id`);

const placesOf = (sql: Sql, now: Date) =>
  oldJobs(sql, now)
    .where(({ or, eb }) => or([eb('jobs.address', 'is not', null), eb('jobs.suburb', 'is not', null)]))
    .select('jobs.id');

/**
 * The contact data of closed jobs: the interests, through which an owner keeps the email and phone of the tradies who
 * answered and which carry the notes of both, the marks of tradies on them, and the place that older jobs name by hand.
 * The job itself stays its owner's.
 * They leave every device as removals do.
 */
export const closedJobs: RetentionJob = {
  name: 'closed-jobs',
  says: 'interests in jobs, marks on them and addresses written on them, a year after the job was closed',
  async count(sql, now) {
    const counts = [inOldJobs(sql, now, 'interests'), inOldJobs(sql, now, 'marks'), placesOf(sql, now)].map((ids) =>
      sql
        .selectFrom(ids.as('found'))
        .select(({ fn, cast }) => cast<number>(fn.countAll(), 'integer').as('old'))
        .executeTakeFirstOrThrow(),
    );
    return (await Promise.all(counts)).reduce((sum, { old }) => sum + old, 0);
  },
  async forget(sql, now) {
    for (const table of ['interests', 'marks'] as const) {
      const rows = await writable(sql)
        .deleteFrom(table)
        .where('id', 'in', inOldJobs(sql, now, table).limit(maxAtOnce))
        .returning('id')
        .execute();
      if (rows.length > 0) return { count: rows.length };
    }
    const places = await writable(sql)
      .updateTable('jobs')
      .set({ address: null, suburb: null })
      .where('id', 'in', placesOf(sql, now).limit(maxAtOnce))
      .returning('id')
      .execute();
    return { count: places.length };
  },
};
