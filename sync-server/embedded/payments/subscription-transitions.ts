import { day, second } from '../../../shared/lib/durations.ts';
import { price } from './price.ts';
import type { CheckoutTerms, Subscription } from './wire.ts';

/*
 * The states of a subscription, as pure functions: each takes the current state and returns the next. Times are Unix
 * seconds.
 */

/** Stripe counts in seconds. */
export const daySeconds = day / second;
/** How long a card is tried again before the subscription ends. */
const retryPeriod = 21 * daySeconds;

/** How long before its end a trial is said to end. */
const noticePeriod = 3 * daySeconds;

interface Beginning {
  id: string;
  itemId: string;
  customer: string;
  terms: CheckoutTerms;
  now: number;
}

export function begin({ id, itemId, customer, terms, now }: Beginning): Subscription {
  const trialEnd = terms.trialDays > 0 ? now + terms.trialDays * daySeconds : null;
  const periodEnd = trialEnd ?? monthAfter(now, now);
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: true, liability: { type: 'self' } },
    billing_cycle_anchor: trialEnd ?? now,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: null, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: now,
    currency: price.currency,
    customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: {
      object: 'list',
      url: `/v1/subscription_items?subscription=${id}`,
      has_more: false,
      data: [
        {
          id: itemId,
          object: 'subscription_item',
          billing_thresholds: null,
          created: now,
          current_period_start: now,
          current_period_end: periodEnd,
          current_trial: null,
          discounts: [],
          metadata: {},
          price,
          quantity: 1,
          subscription: id,
          tax_rates: [],
        },
      ],
    },
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: terms.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: null,
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: trialEnd === null ? 'active' : 'trialing',
    test_clock: null,
    transfer_data: null,
    trial_end: trialEnd,
    trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' } },
    trial_start: trialEnd === null ? null : now,
  };
}

export const periodEndOf = (subscription: Subscription) => subscription.items.data[0].current_period_end;
export const isEnded = ({ status }: Subscription) => status === 'canceled' || status === 'incomplete_expired';

/** When something happens to it by itself next, after `now`. */
export function dueAt(subscription: Subscription, now: number): number | null {
  const isTold = now >= periodEndOf(subscription) - noticePeriod;
  if (subscription.status === 'trialing' && !isTold) return periodEndOf(subscription) - noticePeriod;
  if (subscription.status === 'trialing' || subscription.status === 'active') return periodEndOf(subscription);
  if (subscription.status === 'past_due') return subscription.items.data[0].current_period_start + retryPeriod;
  return null;
}

/** A trial that is over, or a month: the next period begins, paid or not. */
export function nextPeriod(subscription: Subscription, from: number, isPaid: boolean): Subscription {
  const [item] = subscription.items.data;
  const isOnTime = from === item.current_period_end;
  const anchor = isOnTime ? subscription.billing_cycle_anchor : from;
  const period = { ...item, current_period_start: from, current_period_end: monthAfter(from, anchor) };
  return {
    ...subscription,
    status: isPaid ? 'active' : 'past_due',
    billing_cycle_anchor: anchor,
    ...(subscription.status === 'trialing' ? { trial_end: from } : {}),
    items: { ...subscription.items, data: [period] },
  };
}

export function paid(subscription: Subscription): Subscription {
  return { ...subscription, status: 'active' };
}

export function cancelLater(subscription: Subscription, now: number): Subscription {
  const details = { comment: null, feedback: null, feedback_option: null, reason: 'cancellation_requested' } as const;
  return {
    ...subscription,
    cancel_at_period_end: true,
    cancel_at: periodEndOf(subscription),
    canceled_at: now,
    cancellation_details: details,
  };
}

export function undoCancel(subscription: Subscription): Subscription {
  return {
    ...subscription,
    cancel_at_period_end: false,
    cancel_at: null,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
  };
}

export function end(
  subscription: Subscription,
  now: number,
  reason: 'cancellation_requested' | 'payment_failed',
): Subscription {
  const details = { comment: null, feedback: null, feedback_option: null, reason };
  return {
    ...subscription,
    status: 'canceled',
    canceled_at: subscription.canceled_at ?? now,
    ended_at: now,
    cancellation_details: details,
  };
}

/** The same day next month, counted from the anchor: 31 January, 28 February, 31 March. */
function monthAfter(from: number, anchor: number): number {
  const at = new Date(anchor * 1000);
  for (let months = 1; ; months += 1) {
    const first = new Date(
      Date.UTC(
        at.getUTCFullYear(),
        at.getUTCMonth() + months,
        1,
        at.getUTCHours(),
        at.getUTCMinutes(),
        at.getUTCSeconds(),
      ),
    );
    const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
    first.setUTCDate(Math.min(at.getUTCDate(), lastDay));
    const seconds = Math.floor(first.getTime() / 1000);
    if (seconds > from) return seconds;
  }
}
