import { sql as rawSql } from 'kysely';
import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import {
  onboarding,
  openPaymentHarness,
  pressButton,
  makeTestNzbn,
  type Member,
  type PaymentHarness,
} from '../testing/payment-harness.ts';
import { usualDatabase } from '../testing/test-db.ts';
import { createCheckout } from './create-checkout.ts';
import { findCustomer } from './ensure-customer.ts';

interface Delivery {
  id: string;
  type: string;
  body: string;
  subscription: string;
}

/**
 * Every order in which two events of one payment and two of another can arrive: both of one are about the same
 * subscription.
 */
const orders = [
  [0, 0, 1, 1],
  [0, 1, 0, 1],
  [0, 1, 1, 0],
  [1, 0, 0, 1],
  [1, 0, 1, 0],
  [1, 1, 0, 0],
];

describe.each(usualDatabase)('two payments of one person at the same time on %s', (kind) => {
  let harness: PaymentHarness;
  beforeAll(async () => {
    // The provider's own deliveries never arrive: the test is the network.
    harness = await openPaymentHarness(kind, { scramble: () => [] });
  });
  afterAll(() => harness.close());

  async function hear({ body }: Pick<Delivery, 'body'>): Promise<void> {
    const timestamp = Math.floor(harness.now().getTime() / 1000);
    const signature = harness.stripe.webhooks.generateTestHeaderString({
      payload: body,
      secret: harness.payments.webhookSecret,
      timestamp,
    });
    const answer = await harness.app.call('/api/stripe/webhook', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Stripe-Signature': signature },
      body,
    });
    expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
  }

  const customerOf = async (member: Member) => must(await findCustomer(harness.database.sql, member.id), 'a customer');
  const runningOf = async (member: Member) =>
    (await harness.stripe.subscriptions.list({ customer: await customerOf(member), status: 'all' })).data.filter(
      ({ status }) => status === 'trialing' || status === 'active',
    );

  /** Pays on two pages that were both open, which only a close race leaves, and returns the provider's events. */
  async function payTwice(): Promise<{ member: Member; told: Delivery[] }> {
    const member = await harness.member();
    const first = await member.checkout({ businessName: 'The first wish' });
    const [row] = (
      await rawSql<{
        id: string;
      }>`update billing_checkout set state = 'dropped' where user_id = ${member.id} returning id`.execute(
        harness.database.sql,
      )
    ).rows;
    const second = await member.checkout({ businessName: 'The second wish' });
    await rawSql`update billing_checkout set created_at = created_at - interval '1 second' where id = ${row!.id}`.execute(
      harness.database.sql,
    );
    await Promise.all([pressButton(first, 'Pay'), pressButton(second, 'Pay')]);
    const customer = await customerOf(member);
    const { rows } = await rawSql<{
      id: string;
      body: string;
    }>`select id, body from embedded.payment_events where body::jsonb #>> '{data,object,customer}' = ${customer} order by position`.execute(
      harness.database.sql,
    );
    const told = rows.flatMap(({ id, body }): Delivery[] => {
      const event = JSON.parse(body) as Stripe.Event;
      if (event.type === 'checkout.session.completed')
        return [{ id, body, type: event.type, subscription: String(event.data.object.subscription) }];
      return event.type === 'customer.subscription.created'
        ? [{ id, body, type: event.type, subscription: event.data.object.id }]
        : [];
    });
    return { member, told };
  }

  async function mustBeAsOnce(member: Member): Promise<void> {
    expect(await runningOf(member)).toHaveLength(2);
    const { tradieId, subscriptionStatus, subscriptionValidUntil } = await member.user();
    expect(subscriptionStatus).toBe('trialing');
    expect(Date.parse(subscriptionValidUntil ?? '')).toBeGreaterThan(harness.now().getTime() + 13 * 86_400_000);
    const { rows } = await rawSql<{
      id: string;
      business_name: string;
    }>`select id, business_name from tradies where user_id = ${member.id}`.execute(harness.database.sql);
    expect(rows).toEqual([{ id: tradieId, business_name: 'The second wish' }]);
    const kept =
      await rawSql`select 1 from billing_subscription where user_id = ${member.id} and status = 'trialing'`.execute(
        harness.database.sql,
      );
    expect(kept.rows).toHaveLength(2);
  }

  it('come to the same in every order of their webhooks, each delivered twice: one business, as typed last, that may use what it paid for', async () => {
    for (const order of orders) {
      const { member, told } = await payTwice();
      const payments = [...new Set(told.map(({ subscription }) => subscription))].map((one) =>
        told.filter(({ subscription }) => subscription === one),
      );
      expect(payments.map((words) => words.map(({ type }) => type).toSorted())).toEqual(
        [1, 2].map(() => ['checkout.session.completed', 'customer.subscription.created']),
      );
      const waiting = payments.map((words) => [...words]);
      const inOrder = order.map((payment) => waiting[payment]!.shift()!);
      for (const one of inOrder) await hear(one);
      await mustBeAsOnce(member);
      for (const one of inOrder.toReversed()) await hear(one);
      await mustBeAsOnce(member);
    }
  }, 120_000);

  it('come to the same where all webhooks arrive at once, three times each', async () => {
    const { member, told } = await payTwice();
    await Promise.all([...told, ...told, ...told].map(hear));
    await mustBeAsOnce(member);
    const { rows } = await rawSql`select 1 from billing_event where id = any(${told.map(({ id }) => id)})`.execute(
      harness.database.sql,
    );
    expect(rows).toHaveLength(told.length);
  });

  it('leave what is paid where one of the two ends, and its events arrive last, first and again', async () => {
    const { member, told } = await payTwice();
    for (const one of told) await hear(one);
    const [ended, running] = await runningOf(member);
    await harness.stripe.subscriptions.cancel(ended!.id);
    const { rows } = await rawSql<
      Pick<Delivery, 'body'>
    >`select body from embedded.payment_events where body::jsonb #>> '{data,object,id}' = ${ended!.id} and body::jsonb ->> 'type' = 'customer.subscription.deleted'`.execute(
      harness.database.sql,
    );
    for (const one of [...rows, ...told, ...rows]) await hear(one);
    expect((await runningOf(member)).map(({ id }) => id)).toEqual([running!.id]);
    expect((await member.user()).subscriptionStatus).toBe('trialing');
  });

  /** The provider, where `page` is paid just before `call` is made. */
  function payingAt(call: 'expire' | 'list', page: string): Stripe {
    let hasPaid = false;
    const paid = async () => {
      if (!hasPaid) await pressButton(page, 'Pay');
      hasPaid = true;
    };
    const { checkout, subscriptions } = harness.stripe;
    const sessions: Pick<typeof checkout.sessions, 'create' | 'retrieve' | 'expire'> = {
      create: checkout.sessions.create.bind(checkout.sessions),
      retrieve: checkout.sessions.retrieve.bind(checkout.sessions),
      expire: async (id: string) => {
        if (call === 'expire') await paid();
        return checkout.sessions.expire(id);
      },
    } as never;
    const list = async (asked: Stripe.SubscriptionListParams) => {
      const answer = await subscriptions.list(asked);
      if (call === 'list') await paid();
      return answer;
    };
    const retrieve = subscriptions.retrieve.bind(subscriptions);
    return Object.create(harness.stripe, {
      checkout: { value: { sessions } },
      subscriptions: { value: { list, retrieve } },
    }) as Stripe;
  }

  it.each(['list', 'expire'] as const)(
    'are not charged where the first page is paid while the second is being made (%s): the person is told, and no second page opens',
    async (call) => {
      const member = await harness.member();
      const nzbn = makeTestNzbn();
      const first = await member.checkout({ nzbn });
      const stripe = payingAt(call, first);
      const parts = { ...harness.parts, payments: { ...harness.parts.payments, stripe } };
      const tradieData = { ...onboarding, nzbn, businessName: 'Another wish', categoryIds: ['plumber'] };
      const second = createCheckout(parts, { person: await member.user(), tradieData, origin: harness.app.origin });
      await expect(second).rejects.toMatchObject({
        status: 409,
        body: { code: 'already-subscribed', details: { status: 'trialing' } },
      });
      expect(await runningOf(member)).toHaveLength(1);
      const { rows } =
        await rawSql`select 1 from billing_checkout where user_id = ${member.id} and state = 'open' and session_id is not null`.execute(
          harness.database.sql,
        );
      expect(rows).toEqual([]);
      expect((await member.user()).subscriptionStatus).toBe('trialing');
    },
  );
});
