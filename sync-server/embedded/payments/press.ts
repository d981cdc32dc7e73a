import { charge, resume, settleUp, stop, stopLater } from './happenings.ts';
import type { Moment } from './payment-parts.ts';
import type { PortalAct, PortalOutcome } from './portal-page.ts';
import { isEnded } from './subscription-life.ts';
import type { Subscription } from './wire.ts';

/** What a button of the portal does to a subscription. */
export async function press(moment: Moment, act: PortalAct, subscription: Subscription): Promise<PortalOutcome> {
  if (isEnded(subscription)) return 'over-already';
  const owes = subscription.status === 'past_due';
  switch (act) {
    case 'cancel':
      if (!subscription.cancel_at_period_end && !owes) {
        await stopLater(moment, subscription);
        return 'cancels-later';
      }
      await stop(moment, subscription);
      return 'ended';
    case 'resume':
      if (owes) {
        await settleUp(moment, subscription);
        return 'paid';
      }
      if (!subscription.cancel_at_period_end) return 'nothing-to-resume';
      await resume(moment, subscription);
      return 'resumed';
    case 'fail':
      if (owes) return 'owes-already';
      await charge(moment, subscription, false);
      return 'failed';
    case 'end-trial':
      if (subscription.status !== 'trialing') return 'no-trial';
      // As when its last day comes: a cancelled trial ends, another becomes a paid month.
      if (subscription.cancel_at_period_end) {
        await stop(moment, subscription);
        return 'ended';
      }
      await charge(moment, subscription, true);
      return 'active';
  }
}
