import type { NotNull } from 'kysely';
import { hasNzbnCheckDigit } from '../../shared/lib/nzbn.ts';
import type { Sql } from '../db/database.ts';
import type { Registered } from './nzbn-register.ts';

/** What the register said last of a number, and when. */
export interface NzbnCheck extends Registered {
  answeredAt: Date;
}

export async function findCheck(sql: Sql, nzbn: string): Promise<NzbnCheck | undefined> {
  const found = await sql
    .selectFrom('nzbn_check')
    .select(['is_registered', 'entity_name', 'answered_at'])
    .where('nzbn', '=', nzbn)
    .where('answered_at', 'is not', null)
    .$narrowType<{ is_registered: NotNull; answered_at: NotNull }>()
    .executeTakeFirst();
  return (
    found && {
      isRegistered: found.is_registered,
      entityName: found.entity_name ?? undefined,
      answeredAt: found.answered_at,
    }
  );
}

export async function keepCheck(
  sql: Sql,
  nzbn: string,
  { isRegistered, entityName }: Registered,
  now: Date,
): Promise<void> {
  const answer = { is_registered: isRegistered, entity_name: entityName ?? null, asked_at: now, answered_at: now };
  await sql
    .insertInto('nzbn_check')
    .values({ nzbn, ...answer })
    .onConflict((conflict) => conflict.column('nzbn').doUpdateSet(answer))
    .execute();
}

/** Claims the number's next check. False where one was made within the last `pause` milliseconds. */
export async function claimCheck(sql: Sql, nzbn: string, now: Date, pause: number): Promise<boolean> {
  const claimed = await sql
    .insertInto('nzbn_check')
    .values({ nzbn, asked_at: now })
    .onConflict((conflict) =>
      conflict
        .column('nzbn')
        .doUpdateSet({ asked_at: now })
        .where('nzbn_check.asked_at', '<=', new Date(now.getTime() - pause)),
    )
    .returning('nzbn')
    .executeTakeFirst();
  return claimed !== undefined;
}

/**
 * May a profile with this number be called a verified business, from what is known here? Makes no request, so it may
 * run in a transaction.
 */
export async function isVerifiedByNow(sql: Sql, nzbn: string): Promise<boolean> {
  if (!hasNzbnCheckDigit(nzbn)) return false;
  return (await findCheck(sql, nzbn))?.isRegistered ?? true;
}
