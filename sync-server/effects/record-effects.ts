import { sql as rawSql } from 'kysely';
import type { Sql } from '../db/database.ts';
import type { EffectName, NewEffect } from './effect.ts';

/** Where a recorded effect says "there is something to do", at COMMIT. */
export const effectsChannel = 'effects';

const notified = rawSql<string>`pg_notify(${effectsChannel}, '')`.as('notified');

/**
 * Rows that are followed by an effect of their own when a person makes them: which, and what the effect is told of the
 * row.
 */
const followed = {
  /** A mail to the job's owner. */
  'interest.mail': { table: 'interests', id: 'interestId' },
  /** An alert to the tradies who look for such a job. */
  'job.alerts': { table: 'jobs', id: 'jobId' },
} as const satisfies Partial<Record<EffectName, { table: string; id: string }>>;
export type FollowedBy = keyof typeof followed;

interface Made {
  userId: string;
  at: Date;
  ids: readonly string[];
}

/**
 * Records the effect of each of these rows, in the transaction that made them: with them or not at all. A row of
 * another instant was made before, and is followed by nothing.
 */
export async function recordMade(sql: Sql, name: FollowedBy, { userId, at, ids }: Made): Promise<void> {
  const { table, id } = followed[name];
  // One statement writes all effects: an exchange may bring 500.
  await sql
    .with('added', (cte) =>
      cte
        .insertInto('effect')
        .columns(['user_id', 'name', 'key', 'payload', 'at', 'due_at'])
        .expression(({ selectFrom }) =>
          selectFrom(table)
            .select((eb) => [
              eb.cast<string>(eb.val(userId), 'uuid').as('user_id'),
              rawSql.lit(name).as('name'),
              eb.fn<string>('concat', [rawSql.lit(`${name}:`), 'id']).as('key'),
              eb.fn<object>('jsonb_build_object', [rawSql.lit(id), 'id']).as('payload'),
              eb.cast<Date>(eb.val(at), 'timestamptz').as('at'),
              eb.cast<Date>(eb.val(at), 'timestamptz').as('due_at'),
            ])
            .where((eb) => eb('id', '=', eb.fn.any(eb.val(ids))))
            .where('user_id', '=', userId)
            .where('created_at', '=', at),
        )
        .onConflict((conflict) => conflict.column('key').doNothing())
        .returning('id'),
    )
    .selectFrom('added')
    .select(notified)
    .limit(1)
    .execute();
}

/** An effect of what is not a mutation. One whose key was there before is left out. */
export function addEffect(sql: Sql, now: Date, effect: NewEffect): Promise<void> {
  return addEffects(sql, now, [effect]);
}

/** Adds many in one statement. */
export async function addEffects(sql: Sql, now: Date, effects: readonly NewEffect[]): Promise<void> {
  if (effects.length === 0) return;
  await sql
    .with('added', (cte) =>
      cte
        .insertInto('effect')
        .values(
          effects.map(({ name, key, payload }) => ({
            name,
            key,
            payload: JSON.stringify(payload),
            at: now,
            due_at: now,
          })),
        )
        .onConflict((conflict) => conflict.column('key').doNothing())
        .returning('id'),
    )
    .selectFrom('added')
    .select(notified)
    .limit(1)
    .execute();
}
