import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { countRemovals, forgetRemovals } from '../../sync/purge-tombstones.ts';
import { closedJobs } from '../../sync/forget-closed-jobs.ts';
import { removedSearches } from '../../sync/forget-searches.ts';
import { daysBefore, type RetentionJob } from '../../ports/retention-job.ts';
import { expiredRows } from './expired-rows.ts';

/** Days. Why each is as long as it is: docs/operate.md. */
export const keptDays = {
  outcomes: 180,
  contactReads: 365,
  deadLetters: 30,
  devices: 180,
  sentAgain: 180,
  audit: 730,
  effects: 30,
  alerts: 30,
} as const;

function lines<Table extends keyof Schema>(
  name: string,
  says: string,
  table: Table,
  isOld: (row: ExpressionBuilder<Schema, Table>, before: Date) => Expression<SqlBool>,
  days: number,
): RetentionJob {
  const old = expiredRows(table, (row, now) => isOld(row, daysBefore(now, days)));
  return { name, says, count: old.count, forget: async (sql, now) => ({ count: await old.forget(sql, now) }) };
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
  removedSearches,
  lines(
    'outcomes',
    'what became of mutations, after 180 days (S6)',
    'sync_mutation',
    // An effect that still waits for an operator is not over.
    (row, before) => {
      const waits = row
        .selectFrom('sync_parked as deadLetter')
        .select('deadLetter.uid')
        .whereRef('deadLetter.user_id', '=', 'sync_mutation.user_id')
        .whereRef('deadLetter.uid', '=', 'sync_mutation.uid')
        .where('deadLetter.replayed_at', 'is', null)
        .where('deadLetter.discarded_at', 'is', null);
      return row.and([row('at', '<', before), row('status', '<>', 'claimed'), row.not(row.exists(waits))]);
    },
    keptDays.outcomes,
  ),
  lines(
    'parked',
    'dead letters, 30 days after they were dealt with',
    'sync_parked',
    (row, before) => row(row.fn.coalesce('replayed_at', 'discarded_at'), '<', before),
    keptDays.deadLetters,
  ),
  lines(
    'contact-reads',
    'who read whose contact details, after a year',
    'contact_read',
    (row, before) => row('last_at', '<', before),
    keptDays.contactReads,
  ),
  lines(
    'devices',
    'devices not heard of for 180 days',
    'sync_device',
    (row, before) => row('last_at', '<', before),
    keptDays.devices,
  ),
  lines(
    'sent-again',
    'what devices sent again after a restore, after 180 days',
    'sync_sent_again',
    (row, before) => row('last_at', '<', before),
    keptDays.sentAgain,
  ),
  lines(
    'audit',
    'what operators did, after two years',
    'admin_audit',
    (row, before) => row('at', '<', before),
    keptDays.audit,
  ),
  lines(
    'effects',
    'effects, 30 days after they were done',
    'effect',
    (row, before) => row('done_at', '<', before),
    keptDays.effects,
  ),
  lines(
    'alerts',
    'what people were told, after 30 days',
    'alert',
    (row, before) => row('at', '<', before),
    keptDays.alerts,
  ),
];
