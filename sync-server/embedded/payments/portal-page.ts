import { cancelWords, monthlyPrice } from '../../../shared/lib/price.ts';
import { html, type Html } from '../../../shared/lib/html.ts';
import { drawing } from '../../http/brand.ts';
import { facts, paymentPage, showCents, showDay } from './payment-frame.ts';
import { isEnded, periodEndOf } from './subscription-transitions.ts';
import type { Subscription } from './wire.ts';

export const portalActs = ['cancel', 'resume', 'fail', 'end-trial'] as const;
export type PortalAction = (typeof portalActs)[number];

/** What a press of a button came to. */
export const outcomes = {
  'cancels-later': 'Cancelled. The subscription runs until the end of what is paid for.',
  ended: 'The subscription has ended.',
  resumed: 'The subscription goes on.',
  paid: 'Paid. The subscription is active again.',
  failed: 'The payment failed: the card said no.',
  active: 'The trial is over, and the first month is paid.',
  'nothing-to-resume': 'There is nothing to resume: the subscription is running.',
  'no-trial': 'There is no trial to end.',
  'over-already': 'This subscription has ended. To come back, choose Subscribe Again in Manage Account.',
  'owes-already': 'A payment has failed already. Resume subscription pays what is owed.',
} as const;
export type PortalOutcome = keyof typeof outcomes;

/** Names the state a button was pressed in, so that a press that came twice counts once. */
export function stateOf(subscription: Subscription): string {
  const { status, cancel_at_period_end: cancels, id } = subscription;
  return [id, status, String(cancels), String(periodEndOf(subscription))].join('.');
}

function standing(subscription: Subscription): string {
  if (isEnded(subscription)) return 'Ended';
  if (subscription.status === 'past_due') return 'Past due: the last payment failed';
  const name = subscription.status === 'trialing' ? 'Trial' : 'Active';
  return subscription.cancel_at_period_end ? `${name}, cancelled` : name;
}

function cancelText({ status, cancel_at_period_end: isCancelled }: Subscription): string {
  if (status === 'past_due') return 'Because a payment is owed, it would not run on: it would end at once.';
  return isCancelled
    ? 'It is cancelled for the end of the period. Once more ends it at once.'
    : `${cancelWords}. It runs until the end of what is paid for, then stops.`;
}

function section(subscription: Subscription, act: PortalAction, label: string, what: string): Html {
  return html`<section>
    <h2>${label}</h2>
    <p>${what}</p>
    <form method="post">
      <input type="hidden" name="state" value="${stateOf(subscription)}" />
      <button type="submit" name="do" value="${act}">${label}</button>
    </form>
  </section>`;
}

/** What no customer is offered: small, and apart from what they are. */
function trial(subscription: Subscription, act: PortalAction, label: string, what: string): Html {
  return html`<form method="post">
    <input type="hidden" name="state" value="${stateOf(subscription)}" />
    <button type="submit" name="do" value="${act}">${label}</button>
    <span>${what}</span>
  </form>`;
}

/** There is no payment of one that has ended, and no trial. */
function tools(subscription: Subscription): Html {
  return html`<aside class="tools" aria-labelledby="tools">
    <h2 id="tools">For testing</h2>
    ${trial(subscription, 'fail', 'Fail next payment', 'The next payment is tried now, and the card says no.')}
    ${trial(subscription, 'end-trial', 'End trial now', 'The trial is over now, and the first month is paid.')}
  </aside>`;
}

/** What a customer can do: no button that would answer "There is nothing to do". */
function ways(subscription: Subscription, accountUrl: string): (Html | undefined)[] {
  if (isEnded(subscription))
    return [
      html`<p>
        This subscription has ended. To come back, choose Subscribe Again in <a href="${accountUrl}">Manage Account</a>.
      </p>`,
    ];
  const { status, cancel_at_period_end: isCancelled } = subscription;
  const resume = (what: string) => section(subscription, 'resume', 'Resume subscription', what);
  return [
    section(subscription, 'cancel', 'Cancel subscription', cancelText(subscription)),
    status === 'past_due'
      ? resume('Pays what is owed.')
      : isCancelled
        ? resume('Takes the cancellation back.')
        : undefined,
  ];
}

/** The subscription as it stands, and what may be done to it. */
export function portalPage(subscription: Subscription | undefined, returnUrl: string, said?: PortalOutcome): string {
  const back = html`<p><a class="way" href="${returnUrl}">Back to Dwang</a></p>`;
  if (subscription === undefined)
    return paymentPage(
      'Your subscription',
      html`${drawing('empty')}
        <h1>Your subscription</h1>
        <p>There is no subscription yet.</p>
        ${back}`,
    );
  const date = showDay(subscription.ended_at ?? periodEndOf(subscription));
  const total = showCents(monthlyPrice.total);
  const next: readonly [string, string] = isEnded(subscription)
    ? ['Ended on', date]
    : subscription.status === 'past_due'
      ? ['To pay', total]
      : subscription.cancel_at_period_end
        ? ['Ends on', date]
        : ['Next payment', `${total} on ${date}`];
  return paymentPage(
    'Your subscription',
    html`<h1>Your subscription</h1>
      ${said === undefined ? undefined : html`<p class="said" role="status">${outcomes[said]}</p>`}
      ${facts([['Price', `$19 + GST a month (${total} incl. GST)`], ['Status', standing(subscription)], next])}
      ${ways(subscription, returnUrl)} ${back} ${isEnded(subscription) ? undefined : tools(subscription)}`,
  );
}
