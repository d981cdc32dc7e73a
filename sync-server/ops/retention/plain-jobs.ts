import { sql as rawSql, type RawBuilder } from 'kysely';
import { countRemovals, forgetRemovals } from '../../sync/purge-tombstones.ts';
import { closedJobs } from '../../sync/forget-closed-jobs.ts';
import { daysBefore, maxAtOnce, type RetentionJob } from '../../ports/retention-job.ts';

/** Days. Why each is as long as it is: docs/operate.md. */
export const keptDays = {
  outcomes: 180,
  contactReads: 365,
  parked: 30,
  devices: 180,
  audit: 730,
  effects: 30,
} as const;

/** Rows of one table, by their age. */
function lines(
  name: string,
  says: string,
  table: string,
  isOld: (before: Date) => RawBuilder<unknown>,
  days: number,
): RetentionJob {
  const from = rawSql.table(table);
  return {
    name,
    says,
    async count(sql, now) {
      const { rows } = await rawSql<{
        old: number;
      }>`select count(*)::int as old from ${from} where ${isOld(daysBefore(now, days))}`.execute(sql);
      return rows[0]?.old ?? 0;
    },
    async forget(sql, now) {
      const { rows } = await rawSql<{ gone: number }>`with gone as (delete from ${from} where ctid = any(array(
        select ctid from ${from} where ${isOld(daysBefore(now, days))} limit ${maxAtOnce})) returning 1) select count(*)::int as gone from gone`.execute(
        sql,
      );
      return { count: rows[0]?.gone ?? 0 };
    },
  };
}

/** Retention for every installation. The embedded services add their own jobs. */
export const plainJobs: readonly RetentionJob[] = [
  {
    name: 'removals',
    says: 'removed rows, 90 days after their removal (S5)',
    count: countRemovals,
    forget: async (sql, now) => ({ count: await forgetRemovals(sql, now) }),
  },
  closedJobs,
  lines(
    'outcomes',
    'what became of mutations, after 180 days (S6)',
    'sync_mutation',
    // One that still waits for an operator is not over.
    (before) => rawSql`at < ${before} and status <> 'claimed' and not exists (select 1 from sync_parked parked
      where parked.user_id = sync_mutation.user_id and parked.uid = sync_mutation.uid and parked.replayed_at is null and parked.discarded_at is null)`,
    keptDays.outcomes,
  ),
  lines(
    'parked',
    'parked mutations, 30 days after they were dealt with',
    'sync_parked',
    (before) => rawSql`coalesce(replayed_at, discarded_at) < ${before}`,
    keptDays.parked,
  ),
  lines(
    'contact-reads',
    'who read whose contact details, after a year',
    'contact_read',
    (before) => rawSql`last_at < ${before}`,
    keptDays.contactReads,
  ),
  lines(
    'devices',
    'devices not heard of for 180 days',
    'sync_device',
    (before) => rawSql`last_at < ${before}`,
    keptDays.devices,
  ),
  lines(
    'audit',
    'what operators did, after two years',
    'admin_audit',
    (before) => rawSql`at < ${before}`,
    keptDays.audit,
  ),
  lines(
    'effects',
    'effects, 30 days after they were done',
    'effect',
    (before) => rawSql`done_at < ${before}`,
    keptDays.effects,
  ),
];
