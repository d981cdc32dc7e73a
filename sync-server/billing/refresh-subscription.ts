import { sql as rawSql } from 'kysely';
import type Stripe from 'stripe';
import { asSystem } from '../sync/as-system.ts';
import { addEffect } from '../effects/record-effects.ts';
import { applySubscription, type Applied } from './apply-subscription.ts';
import { missingAtStripe, type BillingParts } from './billing-parts.ts';

/** An event that is being handled: written down in the transaction of its effect, so that each has its effect once. */
export interface EventMark {
  id: string;
  type: string;
}

/** The provider says so three days before. */
const trialWillEnd = 'customer.subscription.trial_will_end';

/** Drawn before the provider is asked: the answer under a later ticket is at least as new. */
export async function drawTicket({ database }: Pick<BillingParts, 'database'>): Promise<string> {
  const { rows } = await rawSql<{ ticket: string }>`select nextval('billing_ticket') as ticket`.execute(database.sql);
  return rows[0]!.ticket;
}

/**
 * Asks the provider for the subscription's state and applies it here. What events say of it is never trusted: they come
 * twice, late and in any order.
 *
 * @returns `repeated` where the event was handled before, `unknown` where the provider has no such subscription.
 */
export async function refreshSubscription(
  parts: BillingParts,
  subscriptionId: string,
  event?: EventMark,
): Promise<Applied | 'repeated' | 'unknown'> {
  const ticket = await drawTicket(parts);
  // The request is made outside any transaction: PGlite has one connection, and no row lock should wait for another
  // service.
  const subscription = await findSubscription(parts, subscriptionId);
  return asSystem(parts.database, async (tx) => {
    if (event !== undefined) {
      const added = await tx.sql
        .insertInto('billing_event')
        .values({ id: event.id, type: event.type, at: parts.clock() })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst();
      if (added === undefined) return 'repeated';
    }
    if (subscription === undefined) return 'unknown';
    const applied = await applySubscription(tx, parts, subscription, ticket);
    // A subscription that is to end with its trial costs nothing then.
    if (event?.type === trialWillEnd && !subscription.cancel_at_period_end && applied !== 'unknown-customer')
      await addEffect(tx.sql, parts.clock(), {
        name: 'trial.mail',
        key: `trial.mail:${subscription.id}:${subscription.trial_end}`,
        payload: { subscriptionId: subscription.id },
      });
    return applied;
  });
}

async function findSubscription({ payments }: BillingParts, id: string): Promise<Stripe.Subscription | undefined> {
  try {
    return await payments.stripe.subscriptions.retrieve(id);
  } catch (error) {
    if (missingAtStripe(error)) return undefined;
    throw error;
  }
}
