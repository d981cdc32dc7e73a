import { createHash, randomUUID } from 'node:crypto';
import { sql as rawSql } from 'kysely';
import type { TradieData } from '../../shared/api/billing.ts';
import type { Sql } from '../db/database.ts';

/** A checkout of ours: what was typed, and the provider's session for it once there is one. */
export interface Checkout {
  id: string;
  sessionId: string | undefined;
}

interface NewCheckout {
  userId: string;
  tradieData: TradieData;
  /** What else decides what the checkout looks like. */
  terms: readonly unknown[];
  now: Date;
}

/**
 * The person's one open checkout: the one there is where it says the same, else a new one in its place. Within the caller's
 * transaction; racing requests wait for each other on the customer's row, which must be there.
 */
export async function openCheckout(
  sql: Sql,
  { userId, tradieData, terms, now }: NewCheckout,
): Promise<{ checkout: Checkout; replaced: Checkout | undefined }> {
  const digest = createHash('sha256')
    .update(JSON.stringify([tradieData, terms]))
    .digest('hex');
  await rawSql`select 1 from billing_customer where user_id = ${userId} for update`.execute(sql);
  const { rows } = await rawSql<{ id: string; session_id: string | null; digest: string }>`
    select id, session_id, digest from billing_checkout where user_id = ${userId} and state = 'open' for update`.execute(
    sql,
  );
  const standing = rows[0] && { id: rows[0].id, sessionId: rows[0].session_id ?? undefined };
  if (standing && rows[0]?.digest === digest) return { checkout: standing, replaced: undefined };
  if (standing) await dropCheckout(sql, standing.id);
  const id = randomUUID();
  await rawSql`insert into billing_checkout (id, user_id, digest, tradie_data, state, created_at)
    values (${id}, ${userId}, ${digest}, ${JSON.stringify(tradieData)}::jsonb, 'open', ${now})`.execute(sql);
  return { checkout: { id, sessionId: undefined }, replaced: standing };
}

/** The number in what will be used for this subscription, if anything is. See {@link useTradieData}. */
export async function findTradieNzbn(
  sql: Sql,
  userId: string,
  checkoutId: string | undefined,
): Promise<string | undefined> {
  const { rows } = await rawSql<{ nzbn: string }>`select tradie_data ->> 'nzbn' as nzbn from billing_checkout
    where id = (${unusedCheckout(userId, checkoutId)})`.execute(sql);
  return rows[0]?.nzbn;
}

/** This one must not be paid any more. */
export async function dropCheckout(sql: Sql, id: string): Promise<void> {
  await rawSql`update billing_checkout set state = 'dropped' where id = ${id} and state = 'open'`.execute(sql);
}

/** The provider's session ran out. */
export async function dropSession(sql: Sql, sessionId: string): Promise<void> {
  await rawSql`update billing_checkout set state = 'dropped' where session_id = ${sessionId} and state = 'open'`.execute(
    sql,
  );
}

/** False where another checkout has taken this one's place meanwhile. */
export async function keepSession(sql: Sql, id: string, sessionId: string): Promise<boolean> {
  const { rows } =
    await rawSql`update billing_checkout set session_id = ${sessionId} where id = ${id} and state = 'open' returning id`.execute(
      sql,
    );
  return rows.length > 0;
}

/**
 * What the person typed for the subscription that was paid, and marks it as used. By its id where the subscription names one; else, where
 * nothing was used yet, the newest. Undefined where it was used before, or one that was typed later was: events of two payments come in
 * any order, and what was typed last counts.
 */
export async function useTradieData(
  sql: Sql,
  userId: string,
  checkoutId: string | undefined,
): Promise<TradieData | undefined> {
  const { rows } = await rawSql<{ tradie_data: TradieData }>`update billing_checkout set state = 'paid'
    where id = (${unusedCheckout(userId, checkoutId)}) returning tradie_data`.execute(sql);
  return rows[0]?.tradie_data;
}

function unusedCheckout(userId: string, checkoutId: string | undefined) {
  const named = checkoutId === undefined ? rawSql`true` : rawSql`id::text = ${checkoutId}`;
  return rawSql`select id from billing_checkout typed where user_id = ${userId} and state <> 'paid' and ${named}
    and not exists (select 1 from billing_checkout later where later.user_id = typed.user_id and later.state = 'paid' and (later.created_at, later.id) > (typed.created_at, typed.id))
    order by created_at desc limit 1`;
}
