import { sql as rawSql } from 'kysely';
import { hasNzbnCheckDigit } from '../../shared/lib/nzbn.ts';
import type { Sql } from '../db/database.ts';
import type { Registered } from './nzbn-register.ts';

/** What the register said last of a number, and when. */
export interface NzbnCheck extends Registered {
  answeredAt: Date;
}

interface Stored {
  is_registered: boolean;
  entity_name: string | null;
  answered_at: Date;
}

export async function findCheck(sql: Sql, nzbn: string): Promise<NzbnCheck | undefined> {
  const { rows } = await rawSql<Stored>`select is_registered, entity_name, answered_at from nzbn_check
    where nzbn = ${nzbn} and answered_at is not null`.execute(sql);
  return (
    rows[0] && {
      isRegistered: rows[0].is_registered,
      entityName: rows[0].entity_name ?? undefined,
      answeredAt: rows[0].answered_at,
    }
  );
}

export async function keepCheck(
  sql: Sql,
  nzbn: string,
  { isRegistered, entityName }: Registered,
  now: Date,
): Promise<void> {
  await rawSql`insert into nzbn_check as known (nzbn, is_registered, entity_name, asked_at, answered_at)
    values (${nzbn}, ${isRegistered}, ${entityName ?? null}, ${now}, ${now})
    on conflict (nzbn) do update set is_registered = excluded.is_registered, entity_name = excluded.entity_name,
      asked_at = excluded.asked_at, answered_at = excluded.answered_at`.execute(sql);
}

/** Claims the number's next check. False where one was made within the last `pause` milliseconds. */
export async function claimCheck(sql: Sql, nzbn: string, now: Date, pause: number): Promise<boolean> {
  const { rows } = await rawSql`insert into nzbn_check as known (nzbn, asked_at) values (${nzbn}, ${now})
    on conflict (nzbn) do update set asked_at = excluded.asked_at where known.asked_at <= ${new Date(now.getTime() - pause)}
    returning nzbn`.execute(sql);
  return rows.length > 0;
}

/**
 * May a profile with this number be called a verified business, from what is known here? Makes no request, so it may run in a
 * transaction.
 */
export async function isVerifiedByNow(sql: Sql, nzbn: string): Promise<boolean> {
  if (!hasNzbnCheckDigit(nzbn)) return false;
  return (await findCheck(sql, nzbn))?.isRegistered ?? true;
}
