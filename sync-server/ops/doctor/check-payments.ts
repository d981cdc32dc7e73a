import type Stripe from 'stripe';
import { monthlyPrice, usualTrialDays } from '../../../shared/lib/price.ts';
import type { Config } from '../../lib/config.ts';
import { stripeVersion } from '../../billing/create-stripe.ts';
import { handledEvents } from '../../billing/process-event.ts';
import { warning, good, lookUp, missing, type Finding } from './finding.ts';

const about = 'Payments';

/** Are price, tax, webhook endpoint and customer portal set up as the product needs them? */
export async function checkPayments(
  config: Pick<Config, 'stripe' | 'publicUrl' | 'trialDays'>,
  stripe: Stripe | undefined,
): Promise<Finding[]> {
  if (config.stripe === undefined || stripe === undefined)
    return [warning(about, 'STRIPE_SECRET_KEY is not set: payments are test payments, and no money moves.')];
  const { priceId, secretKey } = config.stripe;
  const mode = /_live_/.test(secretKey) ? [] : [warning(about, 'STRIPE_SECRET_KEY is a test key: no money moves.')];
  const trial =
    config.trialDays === usualTrialDays
      ? []
      : [warning(about, `TRIAL_DAYS is ${config.trialDays}, and the pages promise ${usualTrialDays} days free.`)];
  return [
    ...mode,
    ...trial,
    ...(await lookUp(about, `The price ${priceId}`, () => stripe.prices.retrieve(priceId), checkPrice)),
    ...(await lookUp(
      about,
      'The tax settings',
      () => stripe.tax.settings.retrieve(),
      ({ status }) => [
        status === 'active'
          ? good(about, 'Stripe Tax is set up.')
          : missing(about, 'Stripe Tax is not set up: give it the business’s address, or every checkout fails.'),
      ],
    )),
    ...(await lookUp(
      about,
      'The tax registrations',
      () => stripe.tax.registrations.list({ status: 'active', limit: 100 }),
      ({ data }) => [
        data.some(({ country }) => country === 'NZ')
          ? good(about, 'GST is collected.')
          : missing(about, 'There is no active tax registration for New Zealand: no GST is added.'),
      ],
    )),
    ...(await lookUp(
      about,
      'The webhook endpoints',
      () => stripe.webhookEndpoints.list({ limit: 100 }),
      ({ data }) => checkWebhook(data, config.publicUrl),
    )),
    ...(await lookUp(
      about,
      'The customer portal',
      () => stripe.billingPortal.configurations.list({ is_default: true, active: true }),
      ({ data }) => {
        const [portal] = data;
        if (portal === undefined)
          return [missing(about, 'The customer portal was never saved: open its settings in Stripe and save them.')];
        return [
          portal.features.subscription_cancel.enabled
            ? good(about, 'Tradies can manage their subscription.')
            : missing(about, 'Tradies cannot cancel in the customer portal: allow it in its settings.'),
        ];
      },
    )),
  ];
}

function checkPrice({ active, currency, unit_amount: amount, recurring, tax_behavior: tax }: Stripe.Price): Finding[] {
  const wrong = [
    ...(active ? [] : ['it is not active']),
    ...(currency === 'nzd' ? [] : [`it is in ${currency.toUpperCase()}, not NZD`]),
    ...(amount === monthlyPrice.subtotal ? [] : [`it is ${(amount ?? 0) / 100}, not $19.00`]),
    ...(recurring?.interval === 'month' && recurring.interval_count === 1 ? [] : ['it is not monthly']),
    ...(tax === 'exclusive' ? [] : ['GST must come on top: its tax behaviour must be exclusive']),
  ];
  return [
    wrong.length === 0
      ? good(about, 'The price is $19 + GST a month.')
      : missing(about, `The price is not what the product promises: ${wrong.join('; ')}.`),
  ];
}

function checkWebhook(endpoints: Stripe.WebhookEndpoint[], publicUrl: string | undefined): Finding[] {
  const path = '/api/stripe/webhook';
  if (publicUrl === undefined)
    return [warning(about, 'PUBLIC_URL is not set, so the webhook endpoint could not be told from others.')];
  const ours = endpoints.find(({ url }) => url === publicUrl + path);
  if (ours === undefined)
    return [
      missing(
        about,
        `There is no webhook endpoint for ${publicUrl}${path}: add one, and give its signing secret as STRIPE_WEBHOOK_SECRET.`,
      ),
    ];
  if (ours.status !== 'enabled') return [missing(about, 'The webhook endpoint is disabled.')];
  const unheard = ours.enabled_events.includes('*')
    ? []
    : handledEvents.filter((type) => !ours.enabled_events.includes(type));
  return [
    unheard.length === 0
      ? good(about, 'The webhook endpoint hears what it must.')
      : missing(about, `The webhook endpoint does not send ${unheard.join(', ')}.`),
    ...(ours.api_version === stripeVersion
      ? []
      : [
          warning(
            about,
            `The webhook endpoint speaks ${ours.api_version ?? 'the account’s default version'}; this server was made for ${stripeVersion}.`,
          ),
        ]),
  ];
}
