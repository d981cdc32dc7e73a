import { cancelWords, monthlyPrice } from '../../../shared/lib/price.ts';
import { html } from '../../../shared/lib/html.ts';
import { facts, paymentPage, showCents, showDay } from './payment-frame.ts';
import { product } from './price.ts';
import type { CheckoutTerms } from './wire.ts';
import { daySeconds } from './subscription-transitions.ts';

const gains = ['Browse every active job', 'Express interest, also without signal', cancelWords];

const tick = html`<svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
  <path d="M4 12.5l5.5 5.5L20.5 6.5" />
</svg>`;

/** What is bought, what it costs and when, and two buttons. */
export function checkoutPage({ trialDays }: CheckoutTerms, now: number): string {
  const inclusive = showCents(monthlyPrice.total);
  const firstCharge = showDay(now + trialDays * daySeconds);
  const terms =
    trialDays > 0
      ? ([
          ['Trial', `${trialDays} days free, until ${firstCharge}`],
          ['Then', `${inclusive} a month, from ${firstCharge}`],
          ['To pay today', showCents(0)],
        ] as const)
      : ([
          ['Every month', inclusive],
          ['To pay today', inclusive],
        ] as const);
  return paymentPage(
    'Checkout',
    html`<div class="sides">
      <div>
        <h1>${product.name}</h1>
        <p class="offer"><strong>${inclusive}</strong> a month, GST included</p>
        ${trialDays > 0 ? html`<p class="fine">${trialDays} days free, then ${inclusive} a month, GST included</p>` : undefined}
        <ul class="gains">
          ${gains.map((gain) => html`<li>${tick}${gain}</li>`)}
        </ul>
      </div>
      <section aria-labelledby="pay">
        <h2 id="pay">What you pay</h2>
        ${facts([['Price', `$19 + GST a month (${inclusive} incl. GST)`], ...terms])}
        <form method="post" class="acts">
          <button class="main" type="submit" name="do" value="pay">Pay</button>
          <button type="submit" name="do" value="cancel">Cancel</button>
        </form>
        <p class="fine">This server has no payment provider set up, so no card is asked for.</p>
      </section>
    </div>`,
  );
}
