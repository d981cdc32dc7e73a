import type Stripe from 'stripe';
import type { BillingParts } from './billing-parts.ts';
import { dropSession } from './checkout-rows.ts';
import { refreshSubscription } from './refresh-subscription.ts';

/** The event types that a webhook endpoint must subscribe to; the other types below add nothing to these. */
export const handledEvents = [
  'checkout.session.completed',
  'checkout.session.expired',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.trial_will_end',
  'invoice.paid',
  'invoice.payment_failed',
] as const;

/** What an event asks us to look at. */
type Hint = { subscription: string } | { expiredSession: string } | undefined;

const idOf = (reference: string | { id: string } | null | undefined) =>
  reference == null || typeof reference === 'string' ? reference : reference.id;

function hintOf(event: Stripe.Event): Hint {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return about(idOf(event.data.object.subscription));
    case 'checkout.session.expired':
      return { expiredSession: event.data.object.id };
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
    case 'customer.subscription.paused':
    case 'customer.subscription.resumed':
    case 'customer.subscription.trial_will_end':
      return about(event.data.object.id);
    case 'invoice.paid':
    case 'invoice.payment_failed':
    case 'invoice.payment_action_required':
      return about(idOf(event.data.object.parent?.subscription_details?.subscription));
    default:
      return undefined;
  }
}

function about(subscription: string | null | undefined): Hint {
  return subscription == null ? undefined : { subscription };
}

/** Handles one verified event, once; an event of a type that is none of our business is fine and does nothing. */
export async function processEvent(parts: BillingParts, event: Stripe.Event): Promise<void> {
  const hint = hintOf(event);
  if (hint === undefined || (await wasHandled(parts, event.id))) return;
  if ('expiredSession' in hint) return dropSession(parts.database.sql, hint.expiredSession);
  const outcome = await refreshSubscription(parts, hint.subscription, { id: event.id, type: event.type });
  parts.log.info({ event: event.id, type: event.type, outcome }, 'payment event');
}

async function wasHandled({ database }: BillingParts, eventId: string): Promise<boolean> {
  const found = await database.sql
    .selectFrom('billing_event')
    .select('id')
    .where('id', '=', eventId)
    .executeTakeFirst();
  return found !== undefined;
}
