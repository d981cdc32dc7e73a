import { charge, resume, settleUp, stop, stopLater } from './subscription-lifecycle.ts';
import type { PaymentContext } from './payment-parts.ts';
import type { PortalAction, PortalOutcome } from './portal-page.ts';
import { isEnded } from './subscription-transitions.ts';
import type { Subscription } from './wire.ts';

/** What a button of the portal does to a subscription. */
export async function press(
  context: PaymentContext,
  act: PortalAction,
  subscription: Subscription,
): Promise<PortalOutcome> {
  if (isEnded(subscription)) return 'over-already';
  const owes = subscription.status === 'past_due';
  switch (act) {
    case 'cancel':
      if (!subscription.cancel_at_period_end && !owes) {
        await stopLater(context, subscription);
        return 'cancels-later';
      }
      await stop(context, subscription);
      return 'ended';
    case 'resume':
      if (owes) {
        await settleUp(context, subscription);
        return 'paid';
      }
      if (!subscription.cancel_at_period_end) return 'nothing-to-resume';
      await resume(context, subscription);
      return 'resumed';
    case 'fail':
      if (owes) return 'owes-already';
      await charge(context, subscription, false);
      return 'failed';
    case 'end-trial':
      if (subscription.status !== 'trialing') return 'no-trial';
      // The result is that of the last day: a cancelled trial ends, another becomes a paid month.
      if (subscription.cancel_at_period_end) {
        await stop(context, subscription);
        return 'ended';
      }
      await charge(context, subscription, true);
      return 'active';
  }
}
