import { sql as rawSql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onboarding, openPaymentHarness, pressButton, type PaymentHarness } from '../testing/payment-harness.ts';
import { usualDatabase } from '../testing/test-db.ts';

const days = (from: string | null, to: Date) => (Date.parse(from ?? '') - to.getTime()) / 86_400_000;

describe.each(usualDatabase)('subscribing on %s', (kind) => {
  let harness: PaymentHarness;
  beforeAll(async () => {
    harness = await openPaymentHarness(kind);
  });
  afterAll(() => harness.close());

  it('leads to a page that says what is bought, and paying makes a tradie with profile, categories and trial [§1, §7]', async () => {
    const member = await harness.member({ firstName: 'Wiremu', lastName: 'Parata' });
    const url = await member.checkout({ nzbn: onboarding.nzbn });
    expect(url).toMatch(new RegExp(`^${harness.app.origin}/dev/payments/checkout/cs_test_\\w{20,}$`));
    const page = await fetch(url);
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
    const text = await page.text();
    for (const words of [
      'Test payments: no money moves',
      'Dwang tradie subscription',
      '$19 + GST a month ($21.85 incl. GST)',
      '14 days free',
      '$0.00',
    ])
      expect(text).toContain(words);

    expect((await member.call('GET', '/api/jobs')).status).toBe(403);
    const paid = await pressButton(url, 'Pay');
    expect(paid).toMatchObject({ status: 303, location: `${harness.app.origin}/dashboard?subscription=success` });

    const user = await member.user();
    expect(user.subscriptionStatus).toBe('trialing');
    expect(days(user.subscriptionValidUntil, harness.now())).toBeCloseTo(14, 2);
    expect(await member.tradie()).toMatchObject({
      id: user.tradieId,
      nzbn: '9429040402543',
      isVerified: true,
      businessName: 'Kākā Point Plumbing',
      contactPersonFirstName: 'Wiremu',
      contactPersonLastName: 'Parata',
      email: member.email,
      contactPhone: '+64211234567',
      categoryIds: ['plumber', 'spouting'],
      locationId: 'southland/winton',
    });
    expect((await member.call('GET', '/api/jobs')).status).toBe(200);
    expect((await member.call('GET', '/api/users/me')).body).toMatchObject({
      isTradie: true,
      subscriptionStatus: 'trialing',
    });

    // Devices are poked: the person's row and the business carry the same commit's version.
    const { rows } = await rawSql<{
      version: string;
    }>`select distinct version from sync_change where entity_id in (${member.id}, ${user.tradieId})`.execute(
      harness.database.sql,
    );
    expect(rows).toHaveLength(1);
    const answer = await member.call('GET', '/api/stripe/subscription');
    expect(answer.body).toEqual({
      trialEnd: user.subscriptionValidUntil,
      currentPeriodEnd: user.subscriptionValidUntil,
    });
  });

  it('pays once, however often the button is pressed', async () => {
    const member = await harness.member();
    const url = await member.checkout();
    const page = {
      method: 'POST',
      body: new URLSearchParams({ do: 'pay' }),
      redirect: 'manual',
      headers: { Origin: harness.app.origin },
    } as const;
    const answers = await Promise.all([fetch(url, page), fetch(url, page), fetch(url, page)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await (await fetch(url)).text()).toContain('Paid already');
    const { rows } = await rawSql<{
      customer_id: string;
    }>`select customer_id from billing_customer where user_id = ${member.id}`.execute(harness.database.sql);
    expect(
      (await harness.stripe.subscriptions.list({ customer: rows[0]!.customer_id, status: 'all' })).data,
    ).toHaveLength(1);
    expect((await member.user()).subscriptionStatus).toBe('trialing');
  });

  it('leads back to the dashboard on Cancel, and can still be paid then', async () => {
    const member = await harness.member();
    const url = await member.checkout();
    expect(await pressButton(url, 'Cancel')).toMatchObject({
      status: 303,
      location: `${harness.app.origin}/dashboard?subscription=cancelled`,
    });
    expect(await member.user()).toMatchObject({ tradieId: null, subscriptionStatus: null });
    expect(await member.checkout()).toBe(url);
    await pressButton(url, 'Pay');
    expect((await member.user()).subscriptionStatus).toBe('trialing');
  });

  it('says clearly that there is a subscription already', async () => {
    const member = await harness.member();
    await pressButton(await member.checkout(), 'Pay');
    const again = await member.call('POST', '/api/stripe/create-checkout', {
      tradieData: onboarding,
      email: member.email,
    });
    expect(again).toMatchObject({ status: 409, body: { code: 'already-subscribed', details: { status: 'trialing' } } });
  });

  it('who pays and whose business a restore has lost types it again, and neither pays twice nor is sent away', async () => {
    const member = await harness.member();
    await pressButton(await member.checkout(), 'Pay');
    const { sql } = harness.database;
    await rawSql`update users set tradie_id = null, subscription_status = null where id = ${member.id}`.execute(sql);
    await rawSql`delete from tradies where user_id = ${member.id}`.execute(sql);
    for (const table of ['billing_subscription', 'billing_checkout', 'billing_customer'] as const)
      await sql.deleteFrom(table).where('user_id', '=', member.id).execute();

    expect(await member.checkout({ businessName: 'Found Again Plumbing' })).toBe(
      `${harness.app.origin}/dashboard?subscription=success`,
    );
    expect(await member.tradie()).toMatchObject({ businessName: 'Found Again Plumbing' });
    expect((await member.user()).subscriptionStatus).toBe('trialing');
    const customers = await harness.stripe.customers.list({ email: member.email });
    expect(customers.data).toHaveLength(1);
    const { data } = await harness.stripe.subscriptions.list({ customer: customers.data[0]!.id, status: 'all' });
    expect(data).toHaveLength(1);
    const again = { tradieData: onboarding, email: member.email };
    expect(await member.call('POST', '/api/stripe/create-checkout', again)).toMatchObject({ status: 409 });
  });

  it('keeps one page open when two are requested at once, and the last request counts', async () => {
    const member = await harness.member();
    const [one, same] = await Promise.all([member.checkout(), member.checkout()]);
    expect(same).toBe(one);
    const other = await member.checkout({ businessName: 'Catlins Plumbing' });
    expect(other).not.toBe(one);
    const closed = await fetch(one);
    expect([closed.status, await closed.text()]).toEqual([410, expect.stringContaining('has expired')]);
    const late = await fetch(one, {
      method: 'POST',
      body: new URLSearchParams({ do: 'pay' }),
      headers: { Origin: harness.app.origin },
    });
    expect(late.status).toBe(410);

    const wishes = ['A', 'B', 'C', 'D'].map((businessName) =>
      member.checkout({ businessName }).then(
        (url) => url,
        (error: Error) => error.message,
      ),
    );
    const urls = await Promise.all(wishes);
    const statuses = await Promise.all(
      urls.filter((url) => url.startsWith('http')).map(async (url) => (await fetch(url)).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    const others = urls.filter((url) => !url.startsWith('http'));
    expect(others.filter((text) => !text.includes('checkout-superseded'))).toEqual([]);
  });

  it('keeps a checkout open for a day', async () => {
    const member = await harness.member();
    const url = await member.checkout();
    await harness.pass(1.01);
    expect((await fetch(url)).status).toBe(410);
    expect(await member.checkout()).not.toBe(url);
  });

  it('grants the trial once: a returning person pays from the first day, with what they say now [§1, §settled]', async () => {
    const member = await harness.member();
    await pressButton(await member.checkout(), 'Pay');
    const first = await member.tradie();
    const portal = await member.portal();
    await pressButton(portal, 'Cancel subscription');
    await pressButton(portal, 'End trial now');
    expect((await member.user()).subscriptionStatus).toBe('canceled');
    expect((await member.call('GET', '/api/jobs')).status).toBe(403);

    const url = await member.checkout({ businessName: 'Kākā Point Drains', categoryIds: '["drainlayer"]' });
    expect(await (await fetch(url)).text()).not.toContain('days free');
    await pressButton(url, 'Pay');
    expect(await member.user()).toMatchObject({ subscriptionStatus: 'active', tradieId: first?.id });
    expect(await member.tradie()).toMatchObject({
      id: first?.id,
      businessName: 'Kākā Point Drains',
      categoryIds: ['drainlayer'],
    });
    expect((await member.call('GET', '/api/jobs')).status).toBe(200);
  });

  it('starts again with a new customer where the provider does not know the old one', async () => {
    const member = await harness.member();
    await rawSql`insert into billing_customer (user_id, customer_id, created_at) values (${member.id}, 'cus_of_other_keys', now())`.execute(
      harness.database.sql,
    );
    const [one, same] = await Promise.all([member.checkout(), member.checkout()]);
    expect(same).toBe(one);
    // Late events of the old one do not undo the new one.
    await rawSql`insert into billing_subscription (id, user_id, customer_id, status, current_period_end, started_at, ticket, read_at)
      values (${`sub_${member.id}`}, ${member.id}, 'cus_of_other_keys', 'active', now(), now(), 0, now())`.execute(
      harness.database.sql,
    );
    await pressButton(one, 'Pay');
    expect((await member.user()).subscriptionStatus).toBe('trialing');
  });
});
