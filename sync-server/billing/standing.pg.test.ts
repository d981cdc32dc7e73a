import { sql as rawSql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchangeAnswerSchema } from '../../shared/protocol/exchange.ts';
import { protocolVersion, schemaVersion } from '../../shared/protocol/version.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import { openPaymentHarness, pressButton, type Member, type PaymentHarness } from '../testing/payment-harness.ts';
import { usualDatabase } from '../testing/test-db.ts';

/** A subscription's life, seen through the portal page and the calls. */
describe.each(usualDatabase)('a subscription on %s', (kind) => {
  let harness: PaymentHarness;
  beforeAll(async () => {
    harness = await openPaymentHarness(kind);
  });
  afterAll(() => harness.close());

  async function trialing(): Promise<{ member: Member; portal: string; seesFeed: () => Promise<boolean> }> {
    const member = await harness.member();
    await pressButton(await member.checkout(), 'Pay');
    const seesFeed = async () => (await member.call('GET', '/api/jobs')).status === 200;
    expect(await seesFeed()).toBe(true);
    return { member, portal: await member.portal(), seesFeed };
  }

  it('opens its page for its tradie, with what can be done and a way back [§7]', async () => {
    const { portal } = await trialing();
    expect(portal).toMatch(new RegExp(`^${harness.app.origin}/dev/payments/portal/bps_`));
    const text = await (await fetch(portal)).text();
    for (const words of [
      'Test payments: no money moves',
      'Cancel subscription',
      // As the checkout, the terms and the mail have it.
      'Cancel at any time, with 30 days’ notice. It runs until the end of what is paid for, then stops.',
      'Fail next payment',
      'End trial now',
      'href="' + harness.app.origin + '/edit-account"',
    ])
      expect(text).toContain(words);
    expect(text).not.toContain('<script');
    expect(text).not.toContain('Resume subscription');
    await harness.pass(0.05);
    expect((await fetch(portal)).status).toBe(404);
  });

  it('runs to the end of its time when cancelled, and goes on when resumed', async () => {
    const { member, portal, seesFeed } = await trialing();
    const before = await member.user();
    expect((await pressButton(portal, 'Cancel subscription')).location).toContain('said=cancels-later');
    expect(await member.user()).toEqual(before);
    await pressButton(portal, 'Resume subscription');
    await harness.pass(14.5);
    expect(await member.user()).toMatchObject({ subscriptionStatus: 'active' });
    expect(await seesFeed()).toBe(true);

    const later = await member.portal();
    await pressButton(later, 'Cancel subscription');
    await harness.pass(10);
    expect(await seesFeed()).toBe(true);
    await harness.pass(21);
    expect((await member.user()).subscriptionStatus).toBe('canceled');
    expect(await seesFeed()).toBe(false);
    expect(await member.tradie()).toBeDefined();
  });

  it('takes the feed away when a payment fails, and restores it when it is paid', async () => {
    const { member, portal, seesFeed } = await trialing();
    await pressButton(portal, 'Fail next payment');
    expect((await member.user()).subscriptionStatus).toBe('past_due');
    expect(await seesFeed()).toBe(false);
    expect((await member.call('GET', '/api/users/me')).body).toMatchObject({
      isTradie: true,
      subscriptionStatus: 'past_due',
    });
    await pressButton(portal, 'Resume subscription');
    expect((await member.user()).subscriptionStatus).toBe('active');
    expect(await seesFeed()).toBe(true);
  });

  it('ends when no payment succeeds for three weeks', async () => {
    const { member, portal, seesFeed } = await trialing();
    await pressButton(portal, 'Fail next payment');
    await harness.pass(20);
    expect((await member.user()).subscriptionStatus).toBe('past_due');
    await harness.pass(2);
    expect((await member.user()).subscriptionStatus).toBe('canceled');
    expect(await seesFeed()).toBe(false);
    const page = await (await fetch(await member.portal())).text();
    expect(page).toContain('Ended on');
    expect(page, 'a button for nothing').not.toContain('<button');
  });

  it('says of a trial that was cancelled and then owes only what is to pay, and not when it would have ended', async () => {
    const { member, portal } = await trialing();
    await pressButton(portal, 'Cancel subscription');
    await pressButton(portal, 'Fail next payment');
    const page = await (await fetch(await member.portal())).text();
    expect(page).toMatch(/To pay<\/dt>\s*<dd>\$21\.85/);
    expect(page).not.toContain('Ends on');
  });

  it('becomes a paid month when the trial ends, by button or by itself, and another every month [§1]', async () => {
    const { member, portal } = await trialing();
    await pressButton(portal, 'End trial now');
    const user = await member.user();
    expect(user.subscriptionStatus).toBe('active');
    expect((Date.parse(user.subscriptionValidUntil ?? '') - harness.now().getTime()) / 86_400_000).toBeGreaterThan(
      27.5,
    );
    await harness.pass(100);
    const months = await member.user();
    expect(months.subscriptionStatus).toBe('active');
    expect(Date.parse(months.subscriptionValidUntil ?? '')).toBeGreaterThan(harness.now().getTime());
    expect((await pressButton(await member.portal(), 'End trial now')).location).toContain('said=no-trial');
  });

  it('takes a press that comes twice as one', async () => {
    const { member, portal } = await trialing();
    const html = await (await fetch(portal)).text();
    const state = /name="state" value="([^"]*)"/.exec(html)?.[1] ?? '';
    const twice = { method: 'POST', body: new URLSearchParams({ do: 'cancel', state }), redirect: 'manual' } as const;
    await Promise.all([fetch(portal, twice), fetch(portal, twice)]);
    expect((await member.user()).subscriptionStatus).toBe('trialing');
    await pressButton(portal, 'Cancel subscription');
    expect((await member.user()).subscriptionStatus).toBe('canceled');
    const over = await (await fetch(portal)).text();
    expect(over).toMatch(/Subscribe Again in\s+<a href="[^"]*\/edit-account">Manage Account<\/a>/);
    for (const words of ['Cancel subscription', 'Resume subscription']) expect(over).not.toContain(words);
  });

  it('does nothing for a form from another site', async () => {
    const { member, portal } = await trialing();
    expect((await pressButton(portal, 'Cancel subscription', { Origin: 'https://elsewhere.example' })).status).toBe(
      403,
    );
    const silent = await fetch(portal, {
      method: 'POST',
      body: new URLSearchParams({ do: 'fail' }),
      headers: { 'Sec-Fetch-Site': 'cross-site' },
    });
    expect(silent.status).toBe(403);
    expect((await member.user()).subscriptionStatus).toBe('trialing');
  });
});

describe.each(usualDatabase)('a device on %s', (kind) => {
  it('gets the feed with the next exchange after paying, and loses it with the next one after the end', async () => {
    const harness = await openPaymentHarness(kind, { withSync: true });
    const member = await harness.member();
    const exchange = async (cookie: string | null) => {
      const asked = {
        protocol: protocolVersion,
        schema: schemaVersion,
        userId: member.id,
        cookie,
        shelves: { feed: null },
        mutations: [],
        awaiting: [],
      };
      const { status, body } = await member.call('POST', '/api/sync', asked);
      expect([status, body]).toEqual([200, expect.anything()]);
      return exchangeAnswerSchema.parse(body);
    };
    const delta = async (cookie: string | null) => {
      const answer = await exchange(cookie);
      if (answer.kind !== 'delta') throw new Error(`reset: ${answer.reason}`);
      return answer;
    };
    const before = await delta(null);
    expect(before.shelves.feed).toEqual({ denied: true });

    await pressButton(await member.checkout(), 'Pay');
    expect(await exchange(before.cookie)).toEqual({ kind: 'reset', reason: 'view' });
    const paid = await delta(null);
    expect(paid.shelves.feed).not.toHaveProperty('denied');
    expect(paid.puts.users).toMatchObject([{ id: member.id, subscriptionStatus: 'trialing' }]);
    expect(paid.puts.tradies).toMatchObject([{ userId: member.id, businessName: 'Kākā Point Plumbing' }]);

    await pressButton(await member.portal(), 'Fail next payment');
    expect(await exchange(paid.cookie)).toEqual({ kind: 'reset', reason: 'view' });
    const lapsed = await delta(null);
    expect(lapsed.shelves.feed).toEqual({ denied: true });
    expect(lapsed.puts.users).toMatchObject([{ subscriptionStatus: 'past_due' }]);
    await harness.close();
  });
});

describe.each(usualDatabase)('events that come twice, late and shuffled, on %s', (kind) => {
  it('leave every person in the provider’s state', async () => {
    const random = seededRandom(7);
    const scramble = <T>(round: readonly T[]): T[] =>
      [...round, ...round]
        .map((event) => ({ event, at: random.bytes(1)[0] ?? 0 }))
        .toSorted((one, other) => one.at - other.at)
        .map(({ event }) => event);
    const harness = await openPaymentHarness(kind, { scramble });
    const members = await Promise.all(Array.from({ length: 4 }, () => harness.member()));
    const pages = await Promise.all(members.map((member) => member.checkout()));
    await Promise.all(pages.map((page) => pressButton(page, 'Pay')));
    const portals = await Promise.all(members.map((member) => member.portal()));
    const buttons = ['Cancel subscription', 'Resume subscription', 'Fail next payment', 'End trial now'];
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(
        portals
          .map((portal) => ({ portal, drawn: random.bytes(1)[0] ?? 0 }))
          .map(async ({ portal, drawn }) => {
            const text = await (await fetch(portal)).text();
            const offered = buttons.filter((button) => text.includes(`>${button}</button>`));
            const button = offered[drawn % offered.length];
            // Of one that has ended nothing is offered.
            if (button !== undefined) await pressButton(portal, button);
          }),
      );
    }
    await harness.payments.settle();
    const { data } = await harness.stripe.subscriptions.list({ status: 'all' });
    expect(data).toHaveLength(4);
    for (const member of members) {
      const { subscriptionStatus, tradieId } = await member.user();
      expect(subscriptionStatus).toBe(data.find(({ metadata }) => metadata['userId'] === member.id)?.status);
      expect((await member.tradie())?.id).toBe(tradieId);
    }
    const { rows } = await rawSql<{
      open: number;
    }>`select count(*)::int as open from embedded.payment_events where delivered_at is null`.execute(
      harness.database.sql,
    );
    expect(rows[0]?.open).toBe(0);
    await harness.close();
  });
});
