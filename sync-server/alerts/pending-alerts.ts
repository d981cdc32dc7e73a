import { nzDayStart } from '../../shared/lib/nz-time.ts';
import { hour } from '../../shared/lib/durations.ts';
import type { Sql } from '../db/database.ts';

/** An older alert is dropped. */
const stale = 36 * hour;

export interface PendingAlert {
  id: string;
  kind: 'interest' | 'job';
  subject_id: string;
  job_id: string;
  at: Date;
}

/**
 * What this person was told of neither by phone nor by mail, the oldest first. Locked, so that two instances do not
 * send it twice.
 */
export function lockPendingAlerts(sql: Sql, userId: string): Promise<PendingAlert[]> {
  return sql
    .selectFrom('alert')
    .select(['id', 'kind', 'subject_id', 'job_id', 'at'])
    .where('user_id', '=', userId)
    .where('pushed_at', 'is', null)
    .where('mailed_at', 'is', null)
    .where('dropped_at', 'is', null)
    .orderBy('at')
    .orderBy('id')
    .forUpdate()
    .execute();
}

export const isRecent = ({ at }: PendingAlert, now: Date): boolean => now.getTime() - at.getTime() < stale;

export async function markAlerts(
  sql: Sql,
  column: 'pushed_at' | 'mailed_at' | 'dropped_at',
  ids: readonly string[],
  at: Date | null,
): Promise<void> {
  if (ids.length === 0) return;
  await sql
    .updateTable('alert')
    .set({ [column]: at })
    .where('id', 'in', ids)
    .execute();
}

/** Messages and mails, not alerts: what was gathered counts once. */
export async function countToday(sql: Sql, userId: string, now: Date): Promise<number> {
  const { sent } = await sql
    .selectFrom('alert')
    .select((eb) =>
      eb.cast<number>(eb.fn.count(eb.fn.coalesce('pushed_at', 'mailed_at')).distinct(), 'integer').as('sent'),
    )
    .where('user_id', '=', userId)
    .where((eb) => eb(eb.fn.coalesce('pushed_at', 'mailed_at'), '>=', nzDayStart(now)))
    .executeTakeFirstOrThrow();
  return sent;
}
