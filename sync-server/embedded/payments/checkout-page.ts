import { monthlyPrice } from '../../../shared/lib/price.ts';
import { html } from '../../../shared/lib/html.ts';
import { facts, paymentPage, showCents, showDay } from './payment-frame.ts';
import { product } from './price.ts';
import type { CheckoutTerms } from './wire.ts';
import { daySeconds } from './subscription-life.ts';

/** What is bought, what it costs and when, and two buttons. */
export function checkoutPage({ trialDays }: CheckoutTerms, now: number): string {
  const inclusive = showCents(monthlyPrice.total);
  const firstCharge = showDay(now + trialDays * daySeconds);
  const terms =
    trialDays > 0
      ? ([
          ['Trial', `${trialDays} days free, until ${firstCharge}`],
          ['To pay today', showCents(0)],
          ['Then', `${inclusive} a month, from ${firstCharge}`],
        ] as const)
      : ([
          ['To pay today', inclusive],
          ['Then', `${inclusive} a month`],
        ] as const);
  return paymentPage(
    'Checkout',
    html`<h1>${product.name}</h1>
      <p class="offer">
        ${trialDays > 0 ? `${trialDays} days free, then ${inclusive} a month, GST included` : `${inclusive} a month, GST included`}
      </p>
      <p>Browse jobs and express interest. Cancel whenever you like.</p>
      <div class="card">${facts([['Price', `$19 + GST a month (${inclusive} incl. GST)`], ...terms])}</div>
      <form method="post" class="acts">
        <button class="main" type="submit" name="do" value="pay">Pay</button>
        <button type="submit" name="do" value="cancel">Cancel</button>
      </form>
      <p>This server has no payment provider set up, so no card is asked for.</p>`,
  );
}
