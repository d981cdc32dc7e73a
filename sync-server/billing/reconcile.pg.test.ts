import { sql as rawSql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTradie } from '../../shared/testing/make.ts';
import { insertRows } from '../db/write-rows.ts';
import { openPaymentHarness, pressButton, type Member, type PaymentHarness } from '../testing/payment-harness.ts';
import { usualDatabase } from '../testing/test-db.ts';
import { adoptSubscribers } from './adopt-subscribers.ts';
import { reconcile } from './reconcile.ts';

describe.each(usualDatabase)('comparing with the provider on %s', (kind) => {
  let harness: PaymentHarness;
  let members: Member[];
  beforeAll(async () => {
    harness = await openPaymentHarness(kind);
    members = await Promise.all([harness.member(), harness.member(), harness.member()]);
    for (const member of members) await pressButton(await member.checkout(), 'Pay');
  });
  afterAll(() => harness.close());

  it('finds nothing to correct where all is well', async () => {
    expect(await reconcile(harness.parts)).toEqual({ checked: 3, mended: 0, strangers: 0, unknown: 0 });
  });

  it('corrects a person whose events were lost, and makes the tradie who paid', async () => {
    const [drifted, unheard] = members as [Member, Member];
    const before = [await drifted.user(), await unheard.user(), await unheard.tradie()];
    await rawSql`update users set subscription_status = 'canceled', subscription_valid_until = null where id = ${drifted.id}`.execute(
      harness.database.sql,
    );
    // As if not one event had come: the person paid, and is no tradie.
    await rawSql`update users set tradie_id = null, subscription_status = null, subscription_valid_until = null where id = ${unheard.id}`.execute(
      harness.database.sql,
    );
    await rawSql`delete from tradies where user_id = ${unheard.id}`.execute(harness.database.sql);
    await rawSql`delete from billing_subscription where user_id = ${unheard.id}`.execute(harness.database.sql);
    await rawSql`update billing_checkout set state = 'open' where user_id = ${unheard.id}`.execute(
      harness.database.sql,
    );
    expect(await reconcile(harness.parts)).toMatchObject({ checked: 3, mended: 2 });
    expect(await drifted.user()).toEqual(before[0]);
    expect(await unheard.user()).toEqual({ ...before[1], tradieId: expect.any(String) as string });
    expect(await unheard.tradie()).toMatchObject({ businessName: 'Kākā Point Plumbing', userId: unheard.id });
  });

  it('changes nothing for a subscription that the provider does not know, or a person that we do not know', async () => {
    const member = await harness.member({ subscriptionStatus: 'active' });
    await rawSql`insert into billing_subscription (id, user_id, customer_id, status, started_at, ticket, read_at)
      values ('sub_of_other_keys', ${member.id}, 'cus_of_other_keys', 'active', now(), 0, now())`.execute(
      harness.database.sql,
    );
    const customer = await harness.stripe.customers.create({});
    const session = await harness.stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: customer.id,
      line_items: [{ price: harness.payments.priceId, quantity: 1 }],
      success_url: `${harness.app.origin}/done`,
    });
    await pressButton(session.url ?? '', 'Pay');
    expect(await reconcile(harness.parts)).toEqual({ checked: 5, mended: 0, strangers: 1, unknown: 1 });
    expect((await member.user()).subscriptionStatus).toBe('active');
  });

  it('is done by one instance at a time, and once a night', async () => {
    const held = (minutes: number) =>
      rawSql`update billing_reconcile set lease = gen_random_uuid(), lease_until = ${new Date(harness.now().getTime() + minutes * 60_000)}`.execute(
        harness.database.sql,
      );
    await held(5);
    expect(await reconcile(harness.parts)).toBeUndefined();
    // The instance that held it has died.
    await held(-1);
    expect(await reconcile(harness.parts)).toBeDefined();
    expect(await reconcile(harness.parts, 60_000)).toBeUndefined();
    await harness.pass(0.01);
    expect(await reconcile(harness.parts, 60_000)).toBeDefined();
  });

  it('goes through every page of the provider’s list', async () => {
    const { id: customer } = await harness.stripe.customers.create({});
    const until = Math.floor(harness.now().getTime() / 1000) + 1_000_000;
    for (let made = 0; made < 103; made += 1)
      await harness.payments.grant({ customer, userId: 'nobody', status: 'active', until });
    expect(await reconcile(harness.parts)).toMatchObject({ checked: 108, strangers: 104 });
  });
});

describe.each(usualDatabase)('people who were seeded as subscribers on %s', (kind) => {
  it('get a subscription in the same state, once, and can manage it', async () => {
    const harness = await openPaymentHarness(kind);
    const until = (days: number) =>
      new Date(Math.floor(harness.now().getTime() / 1000) * 1000 + days * 86_400_000).toISOString();
    const members = [];
    for (const [subscriptionStatus, days] of [
      ['active', 365],
      ['trialing', 9],
      ['canceled', -12],
    ] as const) {
      const member = await harness.member({ subscriptionStatus, subscriptionValidUntil: until(days) });
      const tradie = makeTradie({ userId: member.id });
      await insertRows(harness.database.sql, 'tradies', [tradie]);
      await rawSql`update users set tradie_id = ${tradie.id} where id = ${member.id}`.execute(harness.database.sql);
      members.push(member);
    }
    const before = await Promise.all(members.map((member) => member.user()));
    const emails = members.map(({ email }) => email);
    for (let start = 0; start < 2; start += 1)
      await adoptSubscribers(harness.parts, (grant) => harness.payments.grant(grant), emails);
    await harness.payments.settle();
    expect((await harness.stripe.subscriptions.list({ status: 'all' })).data).toHaveLength(3);
    expect(await Promise.all(members.map((member) => member.user()))).toEqual(before);
    expect(await reconcile(harness.parts)).toEqual({ checked: 3, mended: 0, strangers: 0, unknown: 0 });
    for (const member of members) expect((await fetch(await member.portal())).status).toBe(200);
    await pressButton(await members[0]!.portal(), 'Fail next payment');
    expect((await members[0]!.user()).subscriptionStatus).toBe('past_due');
    await harness.close();
  });
});
