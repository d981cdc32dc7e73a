import { sql as rawSql } from 'kysely';
import { daysBefore, maxAtOnce, type RetentionJob } from '../ports/retention-job.ts';

/** Days after a job was closed in which the two sides may still need each other. */
export const closedJobDays = 365;

const isOver = (before: Date) => rawSql`job.status = 'closed' and job.closed_at < ${before}`;
const saysWhere = rawSql`(job.address is not null or job.suburb is not null)`;

/**
 * The contact data of closed jobs: the interests, through which an owner keeps the email and phone of the tradies who answered and
 * which carry the notes of both, the marks of tradies on them, and the place that older jobs name by hand. The job itself stays its
 * owner's.
 * They leave every device as removals do.
 */
export const closedJobs: RetentionJob = {
  name: 'closed-jobs',
  says: 'interests in jobs, marks on them and addresses written on them, a year after the job was closed',
  async count(sql, now) {
    const before = daysBefore(now, closedJobDays);
    const { rows } = await rawSql<{ old: number }>`select
      (select count(*)::int from interests i join jobs job on job.id = i.job_id where ${isOver(before)})
      + (select count(*)::int from marks m join jobs job on job.id = m.job_id where ${isOver(before)})
      + (select count(*)::int from jobs job where ${isOver(before)} and ${saysWhere}) as old`.execute(sql);
    return rows[0]?.old ?? 0;
  },
  async forget(sql, now) {
    const before = daysBefore(now, closedJobDays);
    const { rows } =
      await rawSql`delete from interests where id in (select i.id from interests i join jobs job on job.id = i.job_id
      where ${isOver(before)} limit ${maxAtOnce}) returning id`.execute(sql);
    if (rows.length > 0) return { count: rows.length };
    const { rows: marks } =
      await rawSql`delete from marks where id in (select m.id from marks m join jobs job on job.id = m.job_id
      where ${isOver(before)} limit ${maxAtOnce}) returning id`.execute(sql);
    if (marks.length > 0) return { count: marks.length };
    const { rows: places } =
      await rawSql`update jobs set address = null, suburb = null where id in (select job.id from jobs job
      where ${isOver(before)} and ${saysWhere} limit ${maxAtOnce}) returning id`.execute(sql);
    return { count: places.length };
  },
};
