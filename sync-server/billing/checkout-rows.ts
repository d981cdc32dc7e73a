import { createHash, randomUUID } from 'node:crypto';
import type { ExpressionBuilder } from 'kysely';
import type { TradieData } from '../../shared/api/billing.ts';
import type { Sql } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';

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
 * The person's one open checkout: the one there is where it says the same, else a new one in its place. Within the
 * caller's transaction; racing requests wait for each other on the customer's row, which must be there.
 */
export async function ensureCheckout(
  sql: Sql,
  { userId, tradieData, terms, now }: NewCheckout,
): Promise<{ checkout: Checkout; replaced: Checkout | undefined }> {
  const digest = createHash('sha256')
    .update(JSON.stringify([tradieData, terms]))
    .digest('hex');
  await sql.selectFrom('billing_customer').select('user_id').where('user_id', '=', userId).forUpdate().execute();
  const found = await sql
    .selectFrom('billing_checkout')
    .select(['id', 'session_id', 'digest'])
    .where('user_id', '=', userId)
    .where('state', '=', 'open')
    .forUpdate()
    .executeTakeFirst();
  const standing = found && { id: found.id, sessionId: found.session_id ?? undefined };
  if (standing && found.digest === digest) return { checkout: standing, replaced: undefined };
  if (standing) await dropCheckout(sql, standing.id);
  const id = randomUUID();
  await sql
    .insertInto('billing_checkout')
    .values({
      id,
      user_id: userId,
      digest,
      tradie_data: JSON.stringify(tradieData),
      state: 'open',
      created_at: now,
    })
    .execute();
  return { checkout: { id, sessionId: undefined }, replaced: standing };
}

/** Is what was typed for this checkout here? A restore may have lost it. */
export async function hasCheckout(sql: Sql, userId: string, checkoutId: string): Promise<boolean> {
  const found = await sql
    .selectFrom('billing_checkout')
    .select('id')
    .where('user_id', '=', userId)
    .where((eb) => eb(eb.cast<string>('id', 'text'), '=', checkoutId))
    .executeTakeFirst();
  return found !== undefined;
}

/** The number in what will be used for this subscription, if anything is. See {@link useTradieData}. */
export async function findTradieNzbn(
  sql: Sql,
  userId: string,
  checkoutId: string | undefined,
): Promise<string | undefined> {
  const found = await sql
    .selectFrom('billing_checkout')
    .select((eb) => eb.ref('tradie_data', '->>').key('nzbn').as('nzbn'))
    .where('id', '=', (eb) => unusedCheckout(eb, userId, checkoutId))
    .executeTakeFirst();
  return found?.nzbn;
}

/** This one must not be paid any more. */
export async function dropCheckout(sql: Sql, id: string): Promise<void> {
  await sql
    .updateTable('billing_checkout')
    .set({ state: 'dropped' })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .execute();
}

/** The provider's session ran out. */
export async function dropSession(sql: Sql, sessionId: string): Promise<void> {
  await sql
    .updateTable('billing_checkout')
    .set({ state: 'dropped' })
    .where('session_id', '=', sessionId)
    .where('state', '=', 'open')
    .execute();
}

/** False where another checkout has taken this one's place meanwhile. */
export async function keepSession(sql: Sql, id: string, sessionId: string): Promise<boolean> {
  const kept = await sql
    .updateTable('billing_checkout')
    .set({ session_id: sessionId })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .returning('id')
    .executeTakeFirst();
  return kept !== undefined;
}

/**
 * What the person typed for the subscription that was paid, and marks it as used. By its id where the subscription
 * names one; else, where nothing was used yet, the newest. Undefined where it was used before, or one that was typed
 * later was: events of two payments come in any order, and what was typed last counts.
 */
export async function useTradieData(
  sql: Sql,
  userId: string,
  checkoutId: string | undefined,
): Promise<TradieData | undefined> {
  const used = await sql
    .updateTable('billing_checkout')
    .set({ state: 'paid' })
    .where('id', '=', (eb) => unusedCheckout(eb, userId, checkoutId))
    .returning('tradie_data')
    .executeTakeFirst();
  return used?.tradie_data;
}

function unusedCheckout(
  { selectFrom }: ExpressionBuilder<Schema, 'billing_checkout'>,
  userId: string,
  checkoutId: string | undefined,
) {
  return selectFrom('billing_checkout as typed')
    .select('typed.id')
    .where('typed.user_id', '=', userId)
    .where('typed.state', '<>', 'paid')
    .$if(checkoutId !== undefined, (query) =>
      query.where((eb) => eb(eb.cast<string>('typed.id', 'text'), '=', checkoutId!)),
    )
    .where(({ not, exists, selectFrom: from }) =>
      not(
        exists(
          from('billing_checkout as later')
            .select('later.id')
            .whereRef('later.user_id', '=', 'typed.user_id')
            .where('later.state', '=', 'paid')
            .where(({ eb, refTuple }) =>
              eb(refTuple('later.created_at', 'later.id'), '>', refTuple('typed.created_at', 'typed.id')),
            ),
        ),
      ),
    )
    .orderBy('typed.created_at', 'desc')
    .limit(1);
}
