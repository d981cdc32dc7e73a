import type { NotNull, Selectable } from 'kysely';
import { hour, minute } from '../../shared/lib/durations.ts';
import type { Sql } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { conflict, type HttpProblem } from '../http/http-problem.ts';
import type { SystemTx } from '../sync/as-system.ts';

/** Milliseconds for which a number is reserved for the person who has begun to pay under it. */
const claimFor = 30 * minute;
/** Milliseconds for which a payment page might still be paid: the provider keeps one for a day. */
const pageLives = 48 * hour;

type Claim = Selectable<Schema['nzbn_claim']>;

export function nzbnTaken(
  message = 'That NZBN belongs to another business here. If it is yours, contact support.',
): HttpProblem {
  return conflict(message, 'nzbn-taken', { fields: { 'tradieData.nzbn': message } });
}

/**
 * Reserves the number for a person who begins to pay; one number for each person at a time. Within the transaction that
 * opens their checkout. Everything that decides whose a number is locks its row here.
 *
 * @returns whether this number has had a subscription before, so that its trial is used.
 * @throws HttpProblem 409 `nzbn-taken` where another live business has it, or another person began to pay under it just
 * now.
 */
export async function claimNzbn(
  sql: Sql,
  { nzbn, userId, now }: { nzbn: string; userId: string; now: Date },
): Promise<{ hasSubscribed: boolean }> {
  const claim = await lockClaim(sql, nzbn);
  if (await hasOtherLive(sql, nzbn, userId)) throw nzbnTaken();
  const isFresh = claim.claimed_at !== null && now.getTime() - claim.claimed_at.getTime() < claimFor;
  const isOwn = claim.claimed_by === userId;
  if (claim.claimed_by !== null && !isOwn && isFresh)
    throw nzbnTaken('Somebody is subscribing with that NZBN just now. Try again in half an hour, or contact support.');
  await sql
    .updateTable('nzbn_claim')
    .set({ claimed_by: null, claimed_at: null })
    .where('claimed_by', '=', userId)
    .where('nzbn', '<>', nzbn)
    .execute();
  if (!isOwn || !isFresh)
    await sql.updateTable('nzbn_claim').set({ claimed_by: userId, claimed_at: now }).where('nzbn', '=', nzbn).execute();
  // A concurrent request that is making a page for one of these finds that it does not count any more.
  await sql
    .updateTable('billing_checkout')
    .set({ state: 'dropped' })
    .where((eb) => eb(eb.ref('tradie_data', '->>').key('nzbn'), '=', nzbn))
    .where('user_id', '<>', userId)
    .where('state', '=', 'open')
    .execute();
  return { hasSubscribed: claim.has_subscribed || (await hasBusiness(sql, nzbn)) };
}

/** The provider's sessions of others under this number that may be open or just paid. The number must be held. */
export async function otherPages(sql: Sql, nzbn: string, userId: string, now: Date): Promise<string[]> {
  const rows = await sql
    .selectFrom('billing_checkout')
    .select('session_id')
    .where((eb) => eb(eb.ref('tradie_data', '->>').key('nzbn'), '=', nzbn))
    .where('user_id', '<>', userId)
    .where('state', '<>', 'paid')
    .where('session_id', 'is not', null)
    .where('created_at', '>', new Date(now.getTime() - pageLives))
    .$narrowType<{ session_id: NotNull }>()
    .execute();
  return rows.map(({ session_id: sessionId }) => sessionId);
}

/**
 * Makes the person's business the one that has this number: it has paid. A lapsed business with the same number loses
 * its mark.
 *
 * @returns false where another live business has it; nothing changed then.
 */
export async function assignNzbn(tx: SystemTx, nzbn: string, userId: string): Promise<boolean> {
  await lockClaim(tx.sql, nzbn);
  if (await hasOtherLive(tx.sql, nzbn, userId)) return false;
  await tx.sql
    .updateTable('nzbn_claim')
    .set({ holder_id: userId, has_subscribed: true, claimed_by: null, claimed_at: null })
    .where('nzbn', '=', nzbn)
    .execute();
  const rows = await tx.sql
    .selectFrom('tradies')
    .select('id')
    .where('nzbn', '=', nzbn)
    .where('user_id', '<>', userId)
    .where('is_verified', '=', true)
    .orderBy('id')
    .execute();
  for (const { id } of rows) {
    const lapsed = await tx.hold('tradies', id);
    if (lapsed !== undefined) await tx.update('tradies', lapsed, { isVerified: false });
  }
  return true;
}

async function lockClaim(sql: Sql, nzbn: string): Promise<Claim> {
  await sql
    .insertInto('nzbn_claim')
    .values({ nzbn })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return sql.selectFrom('nzbn_claim').selectAll().where('nzbn', '=', nzbn).forUpdate().executeTakeFirstOrThrow();
}

/** A subscription that has not ended may still be put right, so it keeps the number. */
async function hasOtherLive(sql: Sql, nzbn: string, userId: string): Promise<boolean> {
  const other = await sql
    .selectFrom('tradies as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select('t.id')
    .where('t.nzbn', '=', nzbn)
    .where('t.user_id', '<>', userId)
    .where('u.subscription_status', 'not in', ['canceled', 'incomplete_expired'])
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

/** Every business here has subscribed. */
async function hasBusiness(sql: Sql, nzbn: string): Promise<boolean> {
  const found = await sql.selectFrom('tradies').select('id').where('nzbn', '=', nzbn).limit(1).executeTakeFirst();
  return found !== undefined;
}
