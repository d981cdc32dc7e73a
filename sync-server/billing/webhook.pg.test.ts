import { sql as rawSql } from 'kysely';
import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPaymentHarness, pressButton, type Member, type PaymentHarness } from '../testing/payment-harness.ts';
import { usualDatabase } from '../testing/test-db.ts';
import { refreshSubscription } from './refresh-subscription.ts';

describe.each(usualDatabase)('the webhook on %s', (kind) => {
  let harness: PaymentHarness;
  let member: Member;
  let subscription: Stripe.Subscription;

  beforeAll(async () => {
    harness = await openPaymentHarness(kind);
    member = await harness.member();
    await pressButton(await member.checkout(), 'Pay');
    subscription = (await harness.stripe.subscriptions.list({ limit: 1 })).data[0]!;
  });
  afterAll(() => harness.close());

  interface Sending {
    payload?: string;
    secret?: string;
    secondsAgo?: number;
    header?: string;
  }

  const eventOf = (id: string, type: string, object: object) =>
    JSON.stringify({
      id,
      object: 'event',
      api_version: '2026-10-28.endive',
      created: 1,
      livemode: false,
      pending_webhooks: 1,
      request: null,
      type,
      data: { object },
    });

  async function send(
    signed: string,
    { payload = signed, secret = harness.payments.webhookSecret, secondsAgo = 0, header }: Sending = {},
  ) {
    const timestamp = Math.floor(harness.now().getTime() / 1000) - secondsAgo;
    const signature =
      header ?? harness.stripe.webhooks.generateTestHeaderString({ payload: signed, secret, timestamp });
    const answer = await harness.app.call('/api/stripe/webhook', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(signature === '' ? {} : { 'Stripe-Signature': signature }) },
      body: payload,
    });
    return { status: answer.status, body: (await answer.json()) as { code?: string } };
  }

  it('trusts only the provider’s signature', async () => {
    const event = eventOf('evt_forged', 'customer.subscription.deleted', { ...subscription, status: 'canceled' });
    for (const forgery of [
      { secret: 'whsec_guess' },
      { secondsAgo: 301 },
      { header: '' },
      { header: 't=1,v1=00' },
      { header: 't=1,v1=' },
      { header: 't=1,v1' },
      { header: 't' },
      { header: ',,==' },
      { payload: event.replace('canceled', 'unpaid') },
    ]) {
      expect(await send(event, forgery)).toMatchObject({ status: 400, body: { code: 'bad-signature' } });
    }
    expect((await send('not json')).status).toBe(400);
    const { rows } = await rawSql`select 1 from billing_event where id = 'evt_forged'`.execute(harness.database.sql);
    expect(rows).toHaveLength(0);
    expect((await member.user()).subscriptionStatus).toBe('trialing');
  });

  it('takes what an event says as a hint only: the provider is asked', async () => {
    expect(
      (await send(eventOf('evt_lies', 'customer.subscription.deleted', { ...subscription, status: 'canceled' })))
        .status,
    ).toBe(200);
    expect((await member.user()).subscriptionStatus).toBe('trialing');
  });

  it('handles each event once, however often and however much at once it comes', async () => {
    const event = eventOf('evt_many', 'customer.subscription.updated', subscription);
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(event)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    await rawSql`update users set subscription_status = 'active' where id = ${member.id}`.execute(harness.database.sql);
    await send(event);
    expect((await member.user()).subscriptionStatus).toBe('active');
    await send(eventOf('evt_other', 'customer.subscription.updated', subscription));
    expect((await member.user()).subscriptionStatus).toBe('trialing');
  });

  it('lets one of two concurrent deliveries have the effect', async () => {
    const mark = { id: 'evt_race', type: 'customer.subscription.updated' };
    const outcomes = await Promise.all([1, 2, 3].map(() => refreshSubscription(harness.parts, subscription.id, mark)));
    expect(outcomes.toSorted()).toEqual(['repeated', 'repeated', 'unchanged']);
  });

  it('is content with types and subscriptions that are none of its business', async () => {
    expect((await send(eventOf('evt_type', 'customer.tax_id.created', { id: 'txi_1' }))).status).toBe(200);
    expect(
      (await send(eventOf('evt_sub', 'customer.subscription.updated', { id: 'sub_of_another_shop' }))).status,
    ).toBe(200);
    expect((await send(eventOf('evt_invoice', 'invoice.paid', { id: 'in_1', parent: null }))).status).toBe(200);
  });

  it('has the event delivered again when the provider could not be asked', async () => {
    await rawSql`update users set subscription_status = 'past_due' where id = ${member.id}`.execute(
      harness.database.sql,
    );
    const event = eventOf('evt_again', 'customer.subscription.updated', subscription);
    await rawSql`alter table embedded.payment_objects rename to payment_objects_away`.execute(harness.database.sql);
    expect((await send(event)).status).toBeGreaterThanOrEqual(500);
    await rawSql`alter table embedded.payment_objects_away rename to payment_objects`.execute(harness.database.sql);
    expect((await member.user()).subscriptionStatus).toBe('past_due');
    expect((await send(event)).status).toBe(200);
    expect((await member.user()).subscriptionStatus).toBe('trialing');
  });

  it('drops an answer to an earlier request than the one already applied', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const { promise: asked, resolve: hasAsked } = Promise.withResolvers<void>();
    const { stripe } = harness;
    const slow = Object.create(stripe) as Stripe;
    const retrieve = async (id: string) => {
      const early = await stripe.subscriptions.retrieve(id);
      hasAsked();
      await gate;
      return early;
    };
    Object.defineProperty(slow, 'subscriptions', { value: { retrieve } });
    const late = refreshSubscription(
      { ...harness.parts, payments: { ...harness.parts.payments, stripe: slow } },
      subscription.id,
    );
    await asked;
    await stripe.subscriptions.update(subscription.id, { trial_end: 'now' });
    await harness.payments.settle();
    expect((await member.user()).subscriptionStatus).toBe('active');
    open();
    expect(await late).toBe('outdated');
    expect((await member.user()).subscriptionStatus).toBe('active');
  });
});
