import { tell } from './events.ts';
import { addObject, createObjectId } from './objects.ts';
import type { PaymentContext } from './payment-parts.ts';
import { begin, dueAt } from './subscription-transitions.ts';
import type { Subscription } from './wire.ts';

/** A subscription's initial state, for people who were seeded without paying. */
export interface Grant {
  customer: string;
  userId: string;
  /** `active`, `trialing` or, for anything else, ended. */
  status: string;
  /** Unix seconds until which it is paid for, or at which it ended. */
  until: number;
}

export async function grant(context: PaymentContext, { customer, userId, status, until }: Grant): Promise<void> {
  const terms = { trialDays: status === 'trialing' ? 1 : 0, metadata: { userId } };
  const begun = begin({
    id: createObjectId('sub'),
    itemId: createObjectId('si'),
    customer,
    terms,
    now: Math.min(context.now, until),
  });
  const [item] = begun.items.data;
  const standing: Subscription = {
    ...begun,
    billing_cycle_anchor: until,
    items: { ...begun.items, data: [{ ...item, current_period_end: until }] },
  };
  const subscription: Subscription =
    status === 'active'
      ? standing
      : status === 'trialing'
        ? { ...standing, trial_end: until }
        : { ...standing, status: 'canceled', canceled_at: until, ended_at: until };
  await addObject(context, 'subscription', subscription, { dueAt: dueAt(subscription, context.now) });
  await tell(context, 'customer.subscription.created', subscription);
}
