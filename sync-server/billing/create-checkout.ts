import Stripe from 'stripe';
import { pathOf } from '../../shared/routes.ts';
import type { TradieData } from '../../shared/api/billing.ts';
import { must } from '../../shared/lib/must.ts';
import type { User } from '../../shared/tables/index.ts';
import { conflict, type HttpProblem } from '../http/http-problem.ts';
import { missingAtStripe, type BillingParts } from './billing-parts.ts';
import { dropCheckout, keepSession, ensureCheckout } from './checkout-rows.ts';
import { ensureCustomer } from './ensure-customer.ts';
import { isEnded } from './is-ended.ts';
import { claimNzbn, nzbnTaken, otherPages } from './nzbn-claims.ts';
import { refreshSubscription } from './refresh-subscription.ts';

export interface CheckoutRequest {
  person: User;
  /** Checked against the lists already. */
  tradieData: TradieData;
  /** The origin that the browser comes back to. */
  origin: string;
}

/**
 * The address of a checkout page for the subscription. The onboarding waits on this server under the id that the
 * session and the subscription carry. The same wish again is answered with the same page; another wish closes the page
 * of the one before, so that only one can ever be paid. Who pays already and has no business gets it without a page. A
 * person and a business number have one trial, and a number has one live business: older payment pages that others left
 * open under it are closed first.
 *
 * @throws HttpProblem 409 `already-subscribed` with `details.status`; 409 `checkout-superseded` where another wish was
 * quicker;
 *   409 `nzbn-taken` with `details.fields` where the number is another's.
 */
export async function createCheckout(
  parts: BillingParts,
  { person, tradieData, origin }: CheckoutRequest,
): Promise<{ url: string }> {
  const { database, clock, payments } = parts;
  const customer = await ensureCustomer(parts, person);
  const running = await findRunning(parts, customer);
  if (running !== undefined && person.tradieId === null)
    return openPaidBusiness(parts, { person, tradieData, origin }, customer, running);
  if (running !== undefined) throw alreadySubscribed(running.status);
  const hadTrial = await hasSubscribedBefore(parts, person.id);
  const closed = new Set<string>();
  for (;;) {
    const now = clock();
    const begun = await database.transaction(async (sql) => {
      const claim = await claimNzbn(sql, { nzbn: tradieData.nzbn, userId: person.id, now });
      const inTheWay = (await otherPages(sql, tradieData.nzbn, person.id, now)).filter((page) => !closed.has(page));
      if (inTheWay.length > 0) return { inTheWay };
      const trialDays = hadTrial || claim.hasSubscribed ? 0 : payments.trialDays;
      const opened = await ensureCheckout(sql, {
        userId: person.id,
        tradieData,
        terms: [customer, origin, payments.priceId, trialDays],
        now,
      });
      return { ...opened, trialDays };
    });
    if ('inTheWay' in begun) {
      // The number is claimed by now, so no other checkout opens meanwhile.
      for (const sessionId of begun.inTheWay) {
        await closeOtherPage(parts, sessionId);
        closed.add(sessionId);
      }
      continue;
    }
    const { checkout, replaced, trialDays } = begun;
    if (replaced) await closeOwnPage(parts, replaced.sessionId);
    if (checkout.sessionId !== undefined) {
      const url = await payablePage(parts, checkout.sessionId);
      if (url !== undefined) return { url };
      const paid = await findRunning(parts, customer);
      if (paid !== undefined) throw alreadySubscribed(paid.status);
      await dropCheckout(database.sql, checkout.id);
      continue;
    }
    const session = await createSession(parts, {
      checkoutId: checkout.id,
      userId: person.id,
      customer,
      origin,
      trialDays,
    });
    if (!(await keepSession(database.sql, checkout.id, session.id))) {
      await closeOwnPage(parts, session.id);
      throw conflict('Another checkout was begun in the meantime. Carry on with that one.', 'checkout-superseded');
    }
    return { url: must(session.url, 'the address of an open checkout') };
  }
}

interface Terms {
  checkoutId: string;
  userId: string;
  customer: string;
  origin: string;
  trialDays: number;
}

async function createSession(
  { payments, database }: BillingParts,
  { checkoutId, userId, customer, origin, trialDays }: Terms,
): Promise<Stripe.Checkout.Session> {
  const metadata = { userId, checkoutId };
  try {
    return await payments.stripe.checkout.sessions.create(
      {
        mode: 'subscription',
        customer,
        client_reference_id: userId,
        line_items: [{ price: payments.priceId, quantity: 1 }],
        success_url: `${origin}${pathOf('/dashboard')}?subscription=success`,
        cancel_url: `${origin}${pathOf('/dashboard')}?subscription=cancelled`,
        metadata,
        // The session's own metadata is not copied to the subscription.
        subscription_data: { metadata, ...(trialDays > 0 ? { trial_period_days: trialDays } : {}) },
        // GST is worked out from the billing address.
        automatic_tax: { enabled: true },
        customer_update: { address: 'auto' },
        billing_address_collection: 'required',
      },
      { idempotencyKey: `checkout-${checkoutId}` },
    );
  } catch (error) {
    // The provider repeats a rejection under the same key, whatever was corrected in the meantime.
    if (!(error instanceof Stripe.errors.StripeConnectionError)) await dropCheckout(database.sql, checkoutId);
    throw error;
  }
}

/** The customer's subscription that has not ended; its webhook may still be on the way, so it is read anew. */
async function findRunning(parts: BillingParts, customer: string): Promise<Stripe.Subscription | undefined> {
  const { data } = await parts.payments.stripe.subscriptions.list({ customer, status: 'all', limit: 20 });
  const running = data.find(({ status }) => !isEnded(status));
  if (running !== undefined) await refreshSubscription(parts, running.id);
  return running;
}

/**
 * The business of a person who pays already, from what they typed now: what they had typed before paying was lost by a
 * restore. They are led to where a payment would have led them.
 */
async function openPaidBusiness(
  parts: BillingParts,
  { person, tradieData, origin }: CheckoutRequest,
  customer: string,
  running: Stripe.Subscription,
): Promise<{ url: string }> {
  const { database, clock } = parts;
  const now = clock();
  const isTheirs = await database.transaction(async (sql) => {
    const user = await sql.selectFrom('users').select('tradie_id').where('id', '=', person.id).executeTakeFirst();
    // The webhook that was on the way has made it meanwhile.
    if (user?.tradie_id != null) return false;
    await claimNzbn(sql, { nzbn: tradieData.nzbn, userId: person.id, now });
    await ensureCheckout(sql, { userId: person.id, tradieData, terms: [customer, origin, running.id], now });
    return true;
  });
  if (!isTheirs) throw alreadySubscribed(running.status);
  await refreshSubscription(parts, running.id);
  return { url: `${origin}${pathOf('/dashboard')}?subscription=success` };
}

function alreadySubscribed(status: string): HttpProblem {
  return conflict('You already have a subscription. You can manage it under Edit Account.', 'already-subscribed', {
    status,
  });
}

async function hasSubscribedBefore({ database }: BillingParts, userId: string): Promise<boolean> {
  const found = await database.sql
    .selectFrom('billing_subscription')
    .select('id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** The page's address while it can be paid. */
async function payablePage({ payments }: BillingParts, sessionId: string): Promise<string | undefined> {
  try {
    const { status, url } = await payments.stripe.checkout.sessions.retrieve(sessionId);
    return status === 'open' ? (url ?? undefined) : undefined;
  } catch (error) {
    if (missingAtStripe(error)) return undefined;
    throw error;
  }
}

/**
 * @throws HttpProblem 409 `already-subscribed` where the page was paid, however recently: another one would be a second
 * subscription.
 */
async function closeOwnPage(parts: BillingParts, sessionId: string | undefined): Promise<void> {
  const paid = sessionId === undefined ? undefined : await closePage(parts, sessionId);
  if (paid !== undefined && !isEnded(paid)) throw alreadySubscribed(paid);
}

/** @throws HttpProblem 409 `nzbn-taken` where that page was paid and its subscription has not ended. */
async function closeOtherPage(parts: BillingParts, sessionId: string): Promise<void> {
  const paid = await closePage(parts, sessionId);
  if (paid !== undefined && !isEnded(paid)) throw nzbnTaken();
}

/**
 * Makes sure that this page cannot be paid any more. Returns the subscription that was bought on it; undefined where
 * none was.
 */
async function closePage(parts: BillingParts, sessionId: string): Promise<string | undefined> {
  const { checkout, subscriptions } = parts.payments.stripe;
  const retrieve = () => checkout.sessions.retrieve(sessionId);
  try {
    let session = await retrieve();
    if (session.status === 'open') {
      session = await checkout.sessions.expire(sessionId).catch((error: unknown) => {
        // The checkout was paid, or ran out, since it was looked at.
        if (error instanceof Stripe.errors.StripeInvalidRequestError) return retrieve();
        throw error;
      });
    }
    if (session.status === 'expired') return undefined;
    if (session.status !== 'complete' || session.subscription === null) return 'incomplete';
    const id = typeof session.subscription === 'string' ? session.subscription : session.subscription.id;
    const { status } = await subscriptions.retrieve(id);
    // Its webhook may still be on the way.
    await refreshSubscription(parts, id);
    return status;
  } catch (error) {
    if (!missingAtStripe(error)) throw error;
    return undefined;
  }
}
