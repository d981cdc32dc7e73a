import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStripe } from '../../billing/create-stripe.ts';
import { readConfig } from '../../lib/config.ts';
import { createLog } from '../../lib/log.ts';
import { createServices } from '../../create-services.ts';
import { openPaymentHarness } from '../../testing/payment-harness.ts';
import { openTestApp } from '../../testing/test-app.ts';
import { usualDatabase, openTestDb, type TestDatabase } from '../../testing/test-db.ts';
import { createEmbeddedPayments, type EmbeddedPayments } from './embedded-payments.ts';

interface Heard {
  body: string;
  signature: string;
}

const idOf = (reference: string | { id: string } | null) =>
  reference === null || typeof reference === 'string' ? (reference ?? '') : reference.id;

describe.each(usualDatabase)('the embedded payments on %s, through the unmodified SDK', (kind) => {
  let database: TestDatabase;
  let server: Server;
  let payments: EmbeddedPayments;
  let stripe: Stripe;
  let ahead = 0;
  const heard: Heard[] = [];
  let answers: number[] = [];
  const closing = new AbortController();
  const clock = () => new Date(Date.now() + ahead);

  beforeAll(async () => {
    database = await openTestDb(kind);
    server = createServer((request, response) => {
      void text(request).then((body) => {
        heard.push({ body, signature: String(request.headers['stripe-signature']) });
        response.writeHead(answers.shift() ?? 200).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const ownUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    payments = createEmbeddedPayments({ database, clock, log: createLog('silent'), closing: closing.signal, ownUrl });
    stripe = createStripe(payments.source);
  });
  afterAll(async () => {
    closing.abort();
    await new Promise((resolve) => server.close(resolve));
    await database.close();
  });

  const session = async (changes: Stripe.Checkout.SessionCreateParams = {}, options: Stripe.RequestOptions = {}) => {
    const { id } = await stripe.customers.create({ email: 'a@example.nz' });
    const whole: Stripe.Checkout.SessionCreateParams = {
      mode: 'subscription',
      customer: id,
      line_items: [{ price: payments.priceId, quantity: 1 }],
      success_url: 'http://localhost/done',
    };
    const params = Object.assign(whole, changes);
    return stripe.checkout.sessions.create(params, options);
  };
  const failure = (asked: Promise<unknown>) =>
    asked.then(
      () => undefined,
      (error: Stripe.errors.StripeError) => ({
        type: error.type,
        status: error.statusCode,
        code: error.code,
        param: error.param,
      }),
    );

  it('answer errors as the provider does', async () => {
    expect(await failure(stripe.customers.retrieve('cus_none'))).toEqual({
      type: 'StripeInvalidRequestError',
      status: 404,
      code: 'resource_missing',
      param: 'id',
    });
    expect(await failure(session({ customer: 'cus_none' }))).toEqual({
      type: 'StripeInvalidRequestError',
      status: 400,
      code: 'resource_missing',
      param: 'customer',
    });
    expect(await failure(session({ line_items: [{ price: 'price_none', quantity: 1 }] }))).toMatchObject({
      status: 400,
      code: 'resource_missing',
      param: 'line_items[0][price]',
    });
    expect(await failure(session({ success_url: '' }))).toMatchObject({ status: 400, param: 'success_url' });
    expect(await failure(stripe.checkout.sessions.create({ mode: 'subscription' }))).toMatchObject({
      status: 400,
      code: 'parameter_missing',
      param: 'customer',
    });
    expect(await failure(session({ locale: 'en' }))).toMatchObject({
      status: 400,
      code: 'parameter_unknown',
      param: 'locale',
    });
    expect(await failure(session({ automatic_tax: { enabled: true } }))).toMatchObject({
      status: 400,
      param: 'customer_update',
    });
    expect(
      await failure(createStripe({ ...payments.source, secretKey: 'sk_test_guess' }).customers.retrieve('cus_none')),
    ).toMatchObject({ type: 'StripeAuthenticationError', status: 401 });
    expect(await failure(stripe.coupons.list())).toMatchObject({ type: 'StripeInvalidRequestError', status: 404 });
  });

  it('answer a repeat with what they answered first, and another request under its key with an error', async () => {
    const params = { email: 'b@example.nz', metadata: { a: '1' } };
    const made = await Promise.all([1, 2, 3].map(() => stripe.customers.create(params, { idempotencyKey: 'one' })));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await failure(stripe.customers.create({ email: 'c@example.nz' }, { idempotencyKey: 'one' }))).toMatchObject({
      type: 'StripeIdempotencyError',
      status: 400,
    });
    const no = () =>
      failure(
        stripe.checkout.sessions.create(
          {
            mode: 'subscription',
            customer: 'cus_none',
            line_items: [{ price: payments.priceId, quantity: 1 }],
            success_url: 'http://localhost/',
          },
          { idempotencyKey: 'two' },
        ),
      );
    expect(await no()).toEqual(await no());
  });

  it('close a checkout once', async () => {
    const { id } = await session();
    expect(await stripe.checkout.sessions.expire(id)).toMatchObject({ status: 'expired', url: null });
    expect(await failure(stripe.checkout.sessions.expire(id))).toMatchObject({ status: 400 });
  });

  it('are delivered again where they were not accepted, with the same id and a new signature', async () => {
    await payments.settle();
    heard.length = 0;
    answers = [500, 302];
    await stripe.checkout.sessions.expire((await session()).id);
    await payments.settle();
    ahead += 2_000;
    await payments.settle();
    ahead += 10_000;
    await payments.settle();
    ahead += 100_000;
    await payments.settle();
    expect(heard).toHaveLength(3);
    expect(new Set(heard.map(({ body }) => body)).size).toBe(1);
    expect(new Set(heard.map(({ signature }) => signature)).size).toBe(3);
    for (const { body, signature } of heard)
      expect(() => stripe.webhooks.constructEvent(body, signature, payments.webhookSecret, 1_000)).not.toThrow();
    const event = JSON.parse(heard[0]?.body ?? '{}') as Stripe.Event;
    expect(event).toMatchObject({
      object: 'event',
      api_version: '2026-10-28.endive',
      type: 'checkout.session.expired',
      livemode: false,
    });
  });

  it('cancel at once, set metadata, and list by state', async () => {
    const { id, customer } = await session({ subscription_data: { metadata: { a: '1', b: '2' } } });
    const app = await openTestApp({ database, embedded: [payments.router] });
    await app.call(`/dev/payments/checkout/${id}`, {
      method: 'POST',
      body: new URLSearchParams({ do: 'pay' }),
      redirect: 'manual',
    });
    await app.close();
    const { subscription, payment_status: status } = await stripe.checkout.sessions.retrieve(id);
    expect(status).toBe('paid');
    const known = idOf(subscription);
    expect((await stripe.subscriptions.update(known, { metadata: { b: '', c: '3' } })).metadata).toEqual({
      a: '1',
      c: '3',
    });
    expect((await stripe.invoices.list({ subscription: known })).data).toMatchObject([
      { subtotal: 1900, total: 2185, status: 'paid' },
    ]);
    expect(await stripe.subscriptions.cancel(known)).toMatchObject({
      status: 'canceled',
      ended_at: expect.any(Number) as number,
    });
    expect(await failure(stripe.subscriptions.update(known, { cancel_at_period_end: true }))).toMatchObject({
      status: 400,
    });
    expect((await stripe.subscriptions.list({ customer: idOf(customer) })).data).toEqual([]);
    expect((await stripe.subscriptions.list({ customer: idOf(customer), status: 'all' })).data).toHaveLength(1);
  });
});

describe('with real keys', () => {
  it('the pages of the test payments are gone, and the embedded provider with them', async () => {
    const harness = await openPaymentHarness('pglite');
    const member = await harness.member();
    const page = new URL(await member.checkout()).pathname;
    const config = readConfig({
      STRIPE_SECRET_KEY: 'sk_live_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
      STRIPE_PRICE_ID: 'price_x',
    });
    const open = (given = config) =>
      createServices({
        config: given,
        database: harness.database,
        log: createLog('silent'),
        clock: harness.now,
        publicUrl: () => 'http://localhost',
        ownUrl: () => 'http://localhost',
        closing: AbortSignal.abort(),
      });
    const { seeding: _, adoptSubscribers, ...services } = await open();
    const app = await openTestApp({ database: harness.database, config, ...services });
    expect(adoptSubscribers).toBeUndefined();
    expect(services.payments).toMatchObject({ priceId: 'price_x', webhookSecret: 'whsec_x' });
    const answer = await app.call(page);
    expect([answer.status, await answer.json()]).toEqual([404, { error: 'Not found', code: 'not-found' }]);
    expect((await app.call(page, { method: 'POST', body: new URLSearchParams({ do: 'pay' }) })).status).toBe(404);
    await app.close();

    const production = {
      NODE_ENV: 'production',
      DATABASE_URL: 'postgres://localhost/x',
      SUPABASE_URL: 'https://x.supabase.co',
      SUPABASE_ANON_KEY: 'x',
    };
    const hosted = await open(readConfig(production));
    expect(hosted.payments).toBeUndefined();
    // What is left leads to the hosted project's pictures.
    expect(hosted.embedded.flatMap(({ stack }) => stack.map(({ path }) => String(path)))).toEqual([
      expect.stringContaining('job-photos|tradie-logos'),
    ]);
    await harness.close();
  });
});
