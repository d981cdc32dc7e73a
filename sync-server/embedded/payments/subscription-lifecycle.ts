import { monthlyPrice } from '../../../shared/lib/price.ts';
import { tell } from './events.ts';
import { addObject, createObjectId, saveObject } from './objects.ts';
import type { PaymentContext } from './payment-parts.ts';
import { price } from './price.ts';
import {
  begin,
  cancelLater,
  undoCancel,
  dueAt,
  end,
  nextPeriod,
  paid,
  periodEndOf,
} from './subscription-transitions.ts';
import type { CheckoutTerms, Invoice, Subscription } from './wire.ts';

/*
 * The transitions of a subscription, with its invoices and events. All in the caller's transaction.
 */

interface Bill {
  total: number;
  isPaid: boolean;
  reason: 'subscription_create' | 'subscription_cycle';
}

async function bill(
  context: PaymentContext,
  subscription: Subscription,
  { total, isPaid, reason }: Bill,
): Promise<Invoice> {
  const [{ current_period_start: start, current_period_end: finish }] = subscription.items.data;
  const subtotal = total === 0 ? 0 : monthlyPrice.subtotal;
  const id = createObjectId('in');
  const invoice: Invoice = {
    id,
    object: 'invoice',
    status: isPaid ? 'paid' : 'open',
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: context.now,
    currency: price.currency,
    customer: subscription.customer,
    livemode: false,
    metadata: {},
    number: `TEST-${id.slice(-8).toUpperCase()}`,
    parent: {
      type: 'subscription_details',
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
    },
    amount_due: total,
    amount_paid: isPaid ? total : 0,
    amount_remaining: isPaid ? 0 : total,
    attempted: true,
    attempt_count: 1,
    subtotal,
    total,
    total_excluding_tax: subtotal,
    period_start: start,
    period_end: finish,
    automatic_tax: {
      disabled_reason: null,
      enabled: true,
      liability: { type: 'self' },
      provider: 'stripe',
      status: 'complete',
    },
  };
  await addObject(context, 'invoice', invoice);
  await tell(context, isPaid ? 'invoice.paid' : 'invoice.payment_failed', invoice);
  return invoice;
}

async function change(context: PaymentContext, before: Subscription, after: Subscription): Promise<Subscription> {
  await saveObject(context, 'subscription', after, dueAt(after, context.now));
  await tell(
    context,
    after.status === 'canceled' ? 'customer.subscription.deleted' : 'customer.subscription.updated',
    after,
    before,
  );
  return after;
}

/** A checkout was completed: with a trial nothing is due yet. */
export async function start(
  context: PaymentContext,
  customer: string,
  terms: CheckoutTerms,
): Promise<{ subscription: Subscription; invoice: Invoice }> {
  const begun = begin({ id: createObjectId('sub'), itemId: createObjectId('si'), customer, terms, now: context.now });
  await addObject(context, 'subscription', begun, { dueAt: dueAt(begun, context.now) });
  const invoice = await bill(context, begun, {
    total: begun.status === 'trialing' ? 0 : monthlyPrice.total,
    isPaid: true,
    reason: 'subscription_create',
  });
  const subscription = { ...begun, latest_invoice: invoice.id };
  await saveObject(context, 'subscription', subscription, dueAt(subscription, context.now));
  await tell(context, 'customer.subscription.created', subscription);
  return { subscription, invoice };
}

/** The card is charged for the next month, from now. */
export async function charge(
  context: PaymentContext,
  subscription: Subscription,
  isPaid: boolean,
): Promise<Subscription> {
  const next = nextPeriod(subscription, context.now, isPaid);
  const invoice = await bill(context, next, { total: monthlyPrice.total, isPaid, reason: 'subscription_cycle' });
  return change(context, subscription, { ...next, latest_invoice: invoice.id });
}

/** What stood open is paid after all. */
export async function settleUp(context: PaymentContext, subscription: Subscription): Promise<Subscription> {
  await bill(context, subscription, { total: monthlyPrice.total, isPaid: true, reason: 'subscription_cycle' });
  return change(context, subscription, paid(subscription));
}

export function stopLater(context: PaymentContext, subscription: Subscription): Promise<Subscription> {
  return change(context, subscription, cancelLater(subscription, context.now));
}

export function resume(context: PaymentContext, subscription: Subscription): Promise<Subscription> {
  return change(context, subscription, undoCancel(subscription));
}

export function stop(
  context: PaymentContext,
  subscription: Subscription,
  reason: 'cancellation_requested' | 'payment_failed' = 'cancellation_requested',
): Promise<Subscription> {
  return change(context, subscription, end(subscription, context.now, reason));
}

async function sayTrialWillEnd(context: PaymentContext, subscription: Subscription): Promise<Subscription> {
  await saveObject(context, 'subscription', subscription, dueAt(subscription, context.now));
  await tell(context, 'customer.subscription.trial_will_end', subscription);
  return subscription;
}

/**
 * What happens by itself once it is due: a trial is nearly over, it or a month is over, or payment is overdue for too
 * long.
 */
export function renewIfDue(context: PaymentContext, subscription: Subscription): Promise<Subscription> {
  if (subscription.status === 'trialing' && context.now < periodEndOf(subscription))
    return sayTrialWillEnd(context, subscription);
  if (subscription.status === 'past_due') return stop(context, subscription, 'payment_failed');
  const at = { ...context, now: Math.min(context.now, periodEndOf(subscription)) };
  return subscription.cancel_at_period_end ? stop(at, subscription) : charge(at, subscription, true);
}
