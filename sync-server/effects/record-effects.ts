import { sql as rawSql } from 'kysely';
import type { Sql } from '../db/database.ts';
import type { NewEffect } from './effect.ts';

/** Where a recorded effect says "there is something to do", at COMMIT. */
export const effectsChannel = 'effects';

const notified = rawSql<string>`pg_notify(${effectsChannel}, '')`.as('notified');

interface Expressed {
  userId: string;
  at: Date;
  interestIds: readonly string[];
}

/**
 * Records a mail to the owner of the job for each of these interests, in the transaction that expressed them: with them or not at all.
 * An interest of another instant was expressed before, and is followed by nothing.
 */
export async function recordInterestMails(sql: Sql, { userId, at, interestIds }: Expressed): Promise<void> {
  // One statement, however many: an exchange may bring 500.
  await sql
    .with('added', (cte) =>
      cte
        .insertInto('effect')
        .columns(['user_id', 'name', 'key', 'payload', 'at', 'due_at'])
        .expression(({ selectFrom }) =>
          selectFrom('interests')
            .select((eb) => [
              eb.cast<string>(eb.val(userId), 'uuid').as('user_id'),
              rawSql.lit('interest.mail').as('name'),
              eb.fn<string>('concat', [rawSql.lit('interest.mail:'), 'id']).as('key'),
              eb.fn<object>('jsonb_build_object', [rawSql.lit('interestId'), 'id']).as('payload'),
              eb.cast<Date>(eb.val(at), 'timestamptz').as('at'),
              eb.cast<Date>(eb.val(at), 'timestamptz').as('due_at'),
            ])
            .where((eb) => eb('id', '=', eb.fn.any(eb.val(interestIds))))
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
export async function addEffect(sql: Sql, now: Date, { name, key, payload }: NewEffect): Promise<void> {
  await sql
    .with('added', (cte) =>
      cte
        .insertInto('effect')
        .values({ name, key, payload: JSON.stringify(payload), at: now, due_at: now })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .returning('id'),
    )
    .selectFrom('added')
    .select(notified)
    .execute();
}
