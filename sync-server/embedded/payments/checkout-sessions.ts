import { minute, second } from '../../../shared/lib/durations.ts';
import { monthlyPrice } from '../../../shared/lib/price.ts';
import * as z from 'zod';
import { tell } from './events.ts';
import { start } from './subscription-lifecycle.ts';
import { addObject, findHidden, findObject, createObjectId, saveObject } from './objects.ts';
import type { PaymentContext } from './payment-parts.ts';
import { embeddedPriceId, price } from './price.ts';
import { metadata, yesNo } from './read-params.ts';
import { invalid, missing } from './stripe-problem.ts';
import type { CheckoutSession, CheckoutTerms } from './wire.ts';
import { daySeconds } from './subscription-transitions.ts';

/** What `POST /v1/checkout/sessions` takes here. */
export const checkoutParams = z.strictObject({
  mode: z.literal('subscription'),
  customer: z.string(),
  client_reference_id: z.string().max(200).optional(),
  line_items: z.tuple([z.strictObject({ price: z.string(), quantity: z.literal('1') })]),
  success_url: z.url(),
  cancel_url: z.url().optional(),
  metadata: metadata.optional(),
  subscription_data: z
    .strictObject({
      trial_period_days: z
        .string()
        .regex(/^[1-9]\d{0,2}$/)
        .transform(Number)
        .optional(),
      metadata: metadata.optional(),
    })
    .optional(),
  automatic_tax: z.strictObject({ enabled: yesNo }).optional(),
  customer_update: z.strictObject({ address: z.enum(['auto', 'never']) }).optional(),
  billing_address_collection: z.enum(['auto', 'required']).optional(),
  expires_at: z.string().regex(/^\d+$/).transform(Number).optional(),
});

export async function createCheckoutSession(
  context: PaymentContext,
  params: z.output<typeof checkoutParams>,
): Promise<CheckoutSession> {
  const { now } = context;
  if ((await findObject(context, 'customer', params.customer)) === undefined)
    throw missing('customer', params.customer, 'customer');
  const [line] = params.line_items;
  if (line.price !== embeddedPriceId) throw missing('price', line.price, 'line_items[0][price]');
  const isTaxed = params.automatic_tax?.enabled === true;
  if (isTaxed && params.customer_update?.address !== 'auto') {
    throw invalid(
      'Automatic tax needs an address: pass `customer_update[address]=auto`.',
      'customer_tax_location_invalid',
      'customer_update',
    );
  }
  const expiresAt = params.expires_at ?? now + daySeconds;
  if (expiresAt < now + (30 * minute) / second || expiresAt > now + daySeconds)
    throw invalid('`expires_at` must be between 30 minutes and 24 hours from now.', undefined, 'expires_at');
  const id = createObjectId('cs_test');
  const session: CheckoutSession = {
    id,
    object: 'checkout.session',
    mode: 'subscription',
    status: 'open',
    payment_status: 'unpaid',
    // The page lives where the person comes from.
    url: new URL(`/dev/payments/checkout/${id}`, params.success_url).href,
    success_url: params.success_url,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    metadata: params.metadata ?? {},
    created: now,
    expires_at: expiresAt,
    livemode: false,
    currency: price.currency,
    amount_subtotal: monthlyPrice.subtotal,
    amount_total: monthlyPrice.subtotal,
    automatic_tax: {
      enabled: isTaxed,
      liability: isTaxed ? { type: 'self' } : null,
      provider: isTaxed ? 'stripe' : null,
      status: isTaxed ? 'requires_location_inputs' : null,
    },
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    billing_address_collection: params.billing_address_collection ?? null,
    payment_method_types: ['card'],
    ui_mode: 'hosted_page',
    customer: params.customer,
    customer_email: null,
    customer_details: null,
    subscription: null,
    invoice: null,
  };
  const terms: CheckoutTerms = {
    trialDays: params.subscription_data?.trial_period_days ?? 0,
    metadata: params.subscription_data?.metadata ?? {},
  };
  await addObject(context, 'checkout.session', session, { dueAt: expiresAt, hidden: terms });
  return session;
}

export async function mustFindSession(context: PaymentContext, id: string): Promise<CheckoutSession> {
  const session = await findObject(context, 'checkout.session', id);
  if (session === undefined) throw missing('checkout.session', id, 'id');
  return session;
}

export async function expireSession(context: PaymentContext, session: CheckoutSession): Promise<CheckoutSession> {
  if (session.status !== 'open')
    throw invalid(`This Checkout Session is ${String(session.status)}: only an open one can expire.`);
  const expired: CheckoutSession = { ...session, status: 'expired', url: null };
  await saveObject(context, 'checkout.session', expired);
  await tell(context, 'checkout.session.expired', expired);
  return expired;
}

export async function termsOf(context: PaymentContext, session: CheckoutSession): Promise<CheckoutTerms> {
  return (await findHidden<CheckoutTerms>(context, session.id)) ?? { trialDays: 0, metadata: {} };
}

/** The button was pressed: an open one becomes a subscription, once; any other stays what it is. */
export async function completeSession(context: PaymentContext, session: CheckoutSession): Promise<CheckoutSession> {
  if (session.status !== 'open') return session;
  const terms = await termsOf(context, session);
  const { subscription, invoice } = await start(context, session.customer, terms);
  const complete: CheckoutSession = {
    ...session,
    status: 'complete',
    payment_status: invoice.total === 0 ? 'no_payment_required' : 'paid',
    url: null,
    subscription: subscription.id,
    invoice: invoice.id,
    amount_total: invoice.total,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: invoice.total - invoice.subtotal },
    automatic_tax: { ...session.automatic_tax, status: session.automatic_tax.enabled ? 'complete' : null },
  };
  await saveObject(context, 'checkout.session', complete);
  await tell(context, 'checkout.session.completed', complete);
  return complete;
}
