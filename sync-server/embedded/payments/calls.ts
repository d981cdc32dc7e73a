import * as z from 'zod';
import { checkoutParams, createCheckoutSession, expireSession, mustFindSession } from './checkout-sessions.ts';
import { charge, resume, stop, stopLater } from './subscription-lifecycle.ts';
import { addObject, findObject, listObjects, createObjectId, saveObject } from './objects.ts';
import type { PaymentContext } from './payment-parts.ts';
import { embeddedPriceId, price, product } from './price.ts';
import { metadata, page, pageOf, readParams, yesNo } from './read-params.ts';
import { invalid, missing } from './stripe-problem.ts';
import { dueAt, isEnded } from './subscription-transitions.ts';
import type { Customer, PortalSession, Subscription } from './wire.ts';

/** One call of the provider's API: path, what it takes, what it does. `id` is the one in the path, or ''. */
interface PaymentCall {
  method: string;
  path: RegExp;
  answer: (context: PaymentContext, id: string, encoded: string) => Promise<object>;
}

function call<Params>(
  method: string,
  path: RegExp,
  params: z.ZodType<Params>,
  answer: (context: PaymentContext, id: string, params: Params) => Promise<object>,
): PaymentCall {
  return { method, path, answer: (context, id, encoded) => answer(context, id, readParams(params, encoded)) };
}

const none = z.strictObject({});
const statuses = [
  'active',
  'canceled',
  'incomplete',
  'incomplete_expired',
  'past_due',
  'paused',
  'trialing',
  'unpaid',
  'all',
  'ended',
] as const;

/** The calls this product makes, and their nearest neighbours. */
export const paymentCalls: readonly PaymentCall[] = [
  call(
    'POST',
    /^\/v1\/customers$/,
    z.strictObject({
      email: z.string().max(512).optional(),
      name: z.string().max(256).optional(),
      metadata: metadata.optional(),
    }),
    createCustomer,
  ),
  call(
    'GET',
    /^\/v1\/customers$/,
    z.strictObject({ ...page, email: z.string().optional() }),
    async (context, _, params) => {
      const customers = await listObjects(context, 'customer');
      const those = customers.filter(({ email }) => params.email === undefined || email === params.email);
      return pageOf(those, '/v1/customers', params);
    },
  ),
  call('GET', /^\/v1\/customers\/([^/]+)$/, none, (context, id) => mustFindCustomer(context, id)),

  call('POST', /^\/v1\/checkout\/sessions$/, checkoutParams, (context, _, params) =>
    createCheckoutSession(context, params),
  ),
  call('GET', /^\/v1\/checkout\/sessions\/([^/]+)$/, none, (context, id) => mustFindSession(context, id)),
  call('POST', /^\/v1\/checkout\/sessions\/([^/]+)\/expire$/, none, async (context, id) =>
    expireSession(context, await mustFindSession(context, id)),
  ),

  call(
    'GET',
    /^\/v1\/subscriptions$/,
    z.strictObject({
      ...page,
      customer: z.string().optional(),
      price: z.string().optional(),
      status: z.enum(statuses).optional(),
    }),
    listSubscriptions,
  ),
  call('GET', /^\/v1\/subscriptions\/([^/]+)$/, none, (context, id) => mustFindSubscription(context, id)),
  call(
    'POST',
    /^\/v1\/subscriptions\/([^/]+)$/,
    z.strictObject({
      cancel_at_period_end: yesNo.optional(),
      trial_end: z.literal('now').optional(),
      metadata: metadata.optional(),
    }),
    updateSubscription,
  ),
  call('DELETE', /^\/v1\/subscriptions\/([^/]+)$/, none, async (context, id) =>
    stop(context, mustNotBeEnded(await mustFindSubscription(context, id))),
  ),

  call(
    'POST',
    /^\/v1\/billing_portal\/sessions$/,
    z.strictObject({ customer: z.string(), return_url: z.url() }),
    createPortalSession,
  ),

  call('GET', /^\/v1\/prices\/([^/]+)$/, none, (_, id) => oneOf(id, embeddedPriceId, price, 'price')),
  call('GET', /^\/v1\/products\/([^/]+)$/, none, (_, id) => oneOf(id, product.id, product, 'product')),
  call(
    'GET',
    /^\/v1\/invoices$/,
    z.strictObject({ ...page, customer: z.string().optional(), subscription: z.string().optional() }),
    async (context, _, params) => {
      const invoices = await listObjects(context, 'invoice', params.customer);
      const those =
        params.subscription === undefined
          ? invoices
          : invoices.filter(({ parent }) => parent?.subscription_details?.subscription === params.subscription);
      return pageOf(those, '/v1/invoices', params);
    },
  ),
];

async function oneOf(id: string, known: string, object: object, what: string): Promise<object> {
  if (id !== known) throw missing(what, id);
  return object;
}

interface NewCustomer {
  email?: string | undefined;
  name?: string | undefined;
  metadata?: Record<string, string> | undefined;
}

async function createCustomer(context: PaymentContext, _: string, given: NewCustomer): Promise<Customer> {
  const customer: Customer = {
    id: createObjectId('cus'),
    object: 'customer',
    address: null,
    balance: 0,
    created: context.now,
    currency: null,
    default_source: null,
    delinquent: false,
    description: null,
    email: given.email ?? null,
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: given.metadata ?? {},
    name: given.name ?? null,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
  await addObject(context, 'customer', customer);
  return customer;
}

async function mustFindCustomer(context: PaymentContext, id: string, param?: string): Promise<Customer> {
  const customer = await findObject(context, 'customer', id);
  if (customer === undefined) throw missing('customer', id, param);
  return customer;
}

async function mustFindSubscription(context: PaymentContext, id: string): Promise<Subscription> {
  const subscription = await findObject(context, 'subscription', id);
  if (subscription === undefined) throw missing('subscription', id);
  return subscription;
}

function mustNotBeEnded(subscription: Subscription): Subscription {
  if (isEnded(subscription))
    throw invalid('A canceled subscription can only update its cancellation_details.', 'resource_missing');
  return subscription;
}

interface Filter {
  customer?: string | undefined;
  price?: string | undefined;
  status?: (typeof statuses)[number] | undefined;
  limit?: number | undefined;
  starting_after?: string | undefined;
}

async function listSubscriptions(context: PaymentContext, _: string, filter: Filter): Promise<object> {
  const all =
    filter.price === undefined || filter.price === embeddedPriceId
      ? await listObjects(context, 'subscription', filter.customer)
      : [];
  const those = all.filter((subscription) => {
    if (filter.status === 'all') return true;
    if (filter.status === 'ended') return isEnded(subscription);
    return filter.status === undefined ? subscription.status !== 'canceled' : subscription.status === filter.status;
  });
  return pageOf(those, '/v1/subscriptions', filter);
}

interface Changes {
  cancel_at_period_end?: boolean | undefined;
  trial_end?: 'now' | undefined;
  metadata?: Record<string, string> | undefined;
}

async function updateSubscription(context: PaymentContext, id: string, changes: Changes): Promise<Subscription> {
  let subscription = mustNotBeEnded(await mustFindSubscription(context, id));
  if (changes.metadata !== undefined) {
    // An empty value takes the key away.
    const merged = Object.entries({ ...subscription.metadata, ...changes.metadata }).filter(
      ([, value]) => value !== '',
    );
    subscription = { ...subscription, metadata: Object.fromEntries(merged) };
    await saveObject(context, 'subscription', subscription, dueAt(subscription, context.now));
  }
  if (changes.cancel_at_period_end === true && !subscription.cancel_at_period_end)
    subscription = await stopLater(context, subscription);
  if (changes.cancel_at_period_end === false && subscription.cancel_at_period_end)
    subscription = await resume(context, subscription);
  if (changes.trial_end === 'now' && subscription.status === 'trialing')
    subscription = await charge(context, subscription, true);
  return subscription;
}

async function createPortalSession(
  context: PaymentContext,
  _: string,
  given: { customer: string; return_url: string },
): Promise<PortalSession> {
  await mustFindCustomer(context, given.customer, 'customer');
  const id = createObjectId('bps');
  const session: PortalSession = {
    id,
    object: 'billing_portal.session',
    configuration: 'bpc_dwang',
    created: context.now,
    customer: given.customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: given.return_url,
    url: new URL(`/dev/payments/portal/${id}`, given.return_url).href,
  };
  await addObject(context, 'billing_portal.session', session);
  return session;
}
