import type { Handlers } from '../api/call-router.ts';
import { mustBeOwnEmail } from '../api/own-email.ts';
import type { Deps } from '../ports/deps.ts';
import { askStripe, billingParts } from './billing-parts.ts';
import { checkTradieData } from './check-tradie-data.ts';
import { createCheckout } from './create-checkout.ts';
import { createPortal } from './create-portal.ts';
import { readSubscription } from './read-subscription.ts';

/** The three documented calls about money. */
export function billingHandlers(
  deps: Deps,
): Pick<Handlers, 'billing.checkout' | 'billing.portal' | 'billing.subscription'> {
  const home = (origin: string) => deps.config.publicUrl ?? origin;
  return {
    'billing.checkout': async ({ person, body, origin }) => {
      const parts = billingParts(deps);
      mustBeOwnEmail(body.email, person.email);
      const tradieData = await checkTradieData(deps, body.tradieData, person.id);
      return askStripe(parts, () => createCheckout(parts, { person, tradieData, origin: home(origin) }));
    },
    'billing.portal': async ({ person, origin }) => {
      const parts = billingParts(deps);
      return askStripe(parts, () => createPortal(parts, person, home(origin)));
    },
    'billing.subscription': async ({ person }) => readSubscription(billingParts(deps), person),
  };
}
