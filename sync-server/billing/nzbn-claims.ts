import { sql as rawSql } from 'kysely';
import { hour, minute } from '../../shared/lib/durations.ts';
import type { Sql } from '../db/database.ts';
import { conflict, type HttpProblem } from '../http/http-problem.ts';
import type { SystemTx } from '../sync/as-system.ts';

/** Milliseconds for which a number is reserved for the person who has begun to pay under it. */
const claimFor = 30 * minute;
/** Milliseconds for which a payment page might still be paid: the provider keeps one for a day. */
const pageLives = 48 * hour;

interface Claim {
  claimed_by: string | null;
  claimed_at: Date | null;
  has_subscribed: boolean;
}

export function nzbnTaken(
  message = 'That NZBN belongs to another business here. If it is yours, contact support.',
): HttpProblem {
  return conflict(message, 'nzbn-taken', { fields: { 'tradieData.nzbn': message } });
}

/**
 * Reserves the number for a person who begins to pay; one number for each person at a time. Within the transaction that opens their
 * checkout. Everything that decides whose a number is locks its row here.
 *
 * @returns whether this number has had a subscription before, so that its trial is used.
 * @throws HttpProblem 409 `nzbn-taken` where another live business has it, or another person began to pay under it just now.
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
  await rawSql`update nzbn_claim set claimed_by = null, claimed_at = null where claimed_by = ${userId} and nzbn <> ${nzbn}`.execute(
    sql,
  );
  if (!isOwn || !isFresh)
    await rawSql`update nzbn_claim set claimed_by = ${userId}, claimed_at = ${now} where nzbn = ${nzbn}`.execute(sql);
  // A concurrent request that is making a page for one of these finds that it does not count any more.
  await rawSql`update billing_checkout set state = 'dropped' where tradie_data ->> 'nzbn' = ${nzbn} and user_id <> ${userId} and state = 'open'`.execute(
    sql,
  );
  return { hasSubscribed: claim.has_subscribed || (await hasBusiness(sql, nzbn)) };
}

/** The provider's sessions of others under this number that may be open or just paid. The number must be held. */
export async function otherPages(sql: Sql, nzbn: string, userId: string, now: Date): Promise<string[]> {
  const { rows } = await rawSql<{
    session_id: string;
  }>`select session_id from billing_checkout where tradie_data ->> 'nzbn' = ${nzbn} and user_id <> ${userId}
    and state <> 'paid' and session_id is not null and created_at > ${new Date(now.getTime() - pageLives)}`.execute(
    sql,
  );
  return rows.map(({ session_id: sessionId }) => sessionId);
}

/**
 * Makes the person's business the one that has this number: it has paid. A lapsed business with the same number loses its mark.
 *
 * @returns false where another live business has it; nothing changed then.
 */
export async function holdNzbn(tx: SystemTx, nzbn: string, userId: string): Promise<boolean> {
  await lockClaim(tx.sql, nzbn);
  if (await hasOtherLive(tx.sql, nzbn, userId)) return false;
  await rawSql`update nzbn_claim set holder_id = ${userId}, has_subscribed = true, claimed_by = null, claimed_at = null where nzbn = ${nzbn}`.execute(
    tx.sql,
  );
  const { rows } = await rawSql<{
    id: string;
  }>`select id from tradies where nzbn = ${nzbn} and user_id <> ${userId} and is_verified order by id`.execute(tx.sql);
  for (const { id } of rows) {
    const lapsed = await tx.hold('tradies', id);
    if (lapsed !== undefined) await tx.update('tradies', lapsed, { isVerified: false });
  }
  return true;
}

async function lockClaim(sql: Sql, nzbn: string): Promise<Claim> {
  await rawSql`insert into nzbn_claim (nzbn) values (${nzbn}) on conflict do nothing`.execute(sql);
  const { rows } =
    await rawSql<Claim>`select claimed_by, claimed_at, has_subscribed from nzbn_claim where nzbn = ${nzbn} for update`.execute(
      sql,
    );
  return rows[0]!;
}

/** A subscription that has not ended may still be put right, so it keeps the number. */
async function hasOtherLive(sql: Sql, nzbn: string, userId: string): Promise<boolean> {
  const { rows } = await rawSql`select 1 from tradies t join users u on u.id = t.user_id
    where t.nzbn = ${nzbn} and t.user_id <> ${userId} and u.subscription_status not in ('canceled', 'incomplete_expired') limit 1`.execute(
    sql,
  );
  return rows.length > 0;
}

/** Every business here has subscribed. */
async function hasBusiness(sql: Sql, nzbn: string): Promise<boolean> {
  const { rows } = await rawSql`select 1 from tradies where nzbn = ${nzbn} limit 1`.execute(sql);
  return rows.length > 0;
}
