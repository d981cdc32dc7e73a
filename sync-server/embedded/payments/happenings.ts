import { tell } from './events.ts';
import { addObject, newId, saveObject } from './objects.ts';
import type { Moment } from './payment-parts.ts';
import { monthly, price } from './price.ts';
import { begin, cancelLater, carryOn, dueAt, end, nextPeriod, paid, periodEndOf } from './subscription-life.ts';
import type { CheckoutTerms, Invoice, Subscription } from './wire.ts';

/*
 * What may happen to a subscription, with its invoices, and what is told of it. All in the caller's transaction.
 */

interface Bill {
  total: number;
  isPaid: boolean;
  reason: 'subscription_create' | 'subscription_cycle';
}

async function bill(moment: Moment, subscription: Subscription, { total, isPaid, reason }: Bill): Promise<Invoice> {
  const [{ current_period_start: start, current_period_end: finish }] = subscription.items.data;
  const subtotal = total === 0 ? 0 : monthly.subtotal;
  const id = newId('in');
  const invoice: Invoice = {
    id,
    object: 'invoice',
    status: isPaid ? 'paid' : 'open',
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: moment.now,
    currency: price.currency,
    customer: subscription.customer,
    livemode: false,
    metadata: {},
    number: `TEST-${id.slice(-8).toUpperCase()}`,
    parent: { type: 'subscription_details', quote_details: null, subscription_details: { metadata: subscription.metadata, subscription: subscription.id } },
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
    automatic_tax: { disabled_reason: null, enabled: true, liability: { type: 'self' }, provider: 'stripe', status: 'complete' },
  };
  await addObject(moment, 'invoice', invoice);
  await tell(moment, isPaid ? 'invoice.paid' : 'invoice.payment_failed', invoice);
  return invoice;
}

async function change(moment: Moment, before: Subscription, after: Subscription): Promise<Subscription> {
  await saveObject(moment, 'subscription', after, dueAt(after));
  await tell(moment, after.status === 'canceled' ? 'customer.subscription.deleted' : 'customer.subscription.updated', after, before);
  return after;
}

/** Somebody has paid: with a trial nothing is due yet. */
export async function start(moment: Moment, customer: string, terms: CheckoutTerms): Promise<{ subscription: Subscription; invoice: Invoice }> {
  const begun = begin({ id: newId('sub'), itemId: newId('si'), customer, terms, now: moment.now });
  await addObject(moment, 'subscription', begun, { dueAt: dueAt(begun) });
  const invoice = await bill(moment, begun, { total: begun.status === 'trialing' ? 0 : monthly.total, isPaid: true, reason: 'subscription_create' });
  const subscription = { ...begun, latest_invoice: invoice.id };
  await saveObject(moment, 'subscription', subscription, dueAt(subscription));
  await tell(moment, 'customer.subscription.created', subscription);
  return { subscription, invoice };
}

/** The card is charged for the next month, from now. */
export async function charge(moment: Moment, subscription: Subscription, isPaid: boolean): Promise<Subscription> {
  const next = nextPeriod(subscription, moment.now, isPaid);
  const invoice = await bill(moment, next, { total: monthly.total, isPaid, reason: 'subscription_cycle' });
  return change(moment, subscription, { ...next, latest_invoice: invoice.id });
}

/** What stood open is paid after all. */
export async function settleUp(moment: Moment, subscription: Subscription): Promise<Subscription> {
  await bill(moment, subscription, { total: monthly.total, isPaid: true, reason: 'subscription_cycle' });
  return change(moment, subscription, paid(subscription));
}

export function stopLater(moment: Moment, subscription: Subscription): Promise<Subscription> {
  return change(moment, subscription, cancelLater(subscription, moment.now));
}

export function resume(moment: Moment, subscription: Subscription): Promise<Subscription> {
  return change(moment, subscription, carryOn(subscription));
}

export function stop(moment: Moment, subscription: Subscription, reason: 'cancellation_requested' | 'payment_failed' = 'cancellation_requested'): Promise<Subscription> {
  return change(moment, subscription, end(subscription, moment.now, reason));
}

/** What happens by itself once it is due: a trial or a month is over, or nobody paid for too long. */
export function comeDue(moment: Moment, subscription: Subscription): Promise<Subscription> {
  if (subscription.status === 'past_due') return stop(moment, subscription, 'payment_failed');
  const at = { ...moment, now: Math.min(moment.now, periodEndOf(subscription)) };
  return subscription.cancel_at_period_end ? stop(at, subscription) : charge(at, subscription, true);
}
