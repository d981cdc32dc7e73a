import type { Database, Sql } from '../db/database.ts';
import type { NewEffect } from '../effects/effect.ts';
import { addEffects } from '../effects/record-effects.ts';

export interface NewAlert {
  userId: string;
  kind: 'interest' | 'job';
  /** The interest, or the job. */
  subjectId: string;
  jobId: string;
}

/**
 * Records what people are to be told, once each, and that they be told. The same alert again, from another search or
 * after a kill, is no new one.
 */
export function recordAlerts(database: Database, alerts: readonly NewAlert[], now: Date): Promise<void> {
  return database.transaction(async (sql) => {
    if (alerts.length === 0) return;
    const added = await sql
      .insertInto('alert')
      .values(
        alerts.map(({ userId, kind, subjectId, jobId }) => ({
          user_id: userId,
          kind,
          subject_id: subjectId,
          job_id: jobId,
          at: now,
        })),
      )
      .onConflict((conflict) => conflict.columns(['user_id', 'kind', 'subject_id']).doNothing())
      .returning(['id', 'user_id'])
      .execute();
    await addEffects(
      sql,
      now,
      added.map(({ id, user_id: userId }) => notificationEffect(userId, id)),
    );
  });
}

/** Has this person told at `due` of all that waits. The same `key` again is done once. */
export function enqueueNotification(
  sql: Sql,
  { userId, key, due }: { userId: string; key: string; due: Date },
): Promise<void> {
  return addEffects(sql, due, [notificationEffect(userId, key)]);
}

function notificationEffect(userId: string, key: string): NewEffect {
  return { name: 'alerts.tell', key: `alerts.tell:${userId}:${key}`, payload: { userId } };
}
