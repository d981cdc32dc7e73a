import { sql as rawSql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTradie, makeUser } from '../../shared/testing/make.ts';
import type { User } from '../../shared/tables/index.ts';
import { insertRows } from '../db/write-rows.ts';
import {
  makeTestNzbn,
  onboarding,
  openPaymentHarness,
  pressButton,
  type Member,
  type PaymentHarness,
} from '../testing/payment-harness.ts';
import { usualDatabase, openTestDb } from '../testing/test-db.ts';

describe.each(usualDatabase)('one business number on %s', (kind) => {
  let harness: PaymentHarness;
  beforeAll(async () => {
    harness = await openPaymentHarness(kind);
  });
  afterAll(() => harness.close());

  const ask = (member: Member, nzbn: string) =>
    member.call('POST', '/api/stripe/create-checkout', { tradieData: { ...onboarding, nzbn }, email: member.email });
  const taken = {
    status: 409,
    body: { code: 'nzbn-taken', details: { fields: { 'tradieData.nzbn': expect.any(String) as string } } },
  };
  const minutes = 1 / (24 * 60);
  const lapse = async (member: Member) => {
    const portal = await member.portal();
    await pressButton(portal, 'Cancel subscription');
    if ((await member.user()).subscriptionStatus === 'trialing') await pressButton(portal, 'End trial now');
    else await harness.pass(32);
    expect((await member.user()).subscriptionStatus).toBe('canceled');
  };
  const subscribe = async (member: Member, nzbn: string) => pressButton(await member.checkout({ nzbn }), 'Pay');
  const isLive = async (member: Member) =>
    ['trialing', 'active'].includes((await member.user()).subscriptionStatus ?? '');

  it('is rejected, at its field, for a second business while the first is live', async () => {
    const [first, second] = [await harness.member(), await harness.member()];
    const nzbn = makeTestNzbn();
    await subscribe(first, nzbn);
    const answer = await ask(second, nzbn);
    expect(answer).toMatchObject(taken);
    expect(JSON.stringify(answer.body)).not.toContain(first.id);
    expect(await second.user()).toMatchObject({ tradieId: null });
    // One that waits for its money may still be put right.
    await rawSql`update users set subscription_status = 'past_due' where id = ${first.id}`.execute(
      harness.database.sql,
    );
    expect(await ask(second, nzbn)).toMatchObject(taken);
  });

  it('is one person’s for half an hour once they begin to pay; then the next closes that page', async () => {
    const [first, second] = [await harness.member(), await harness.member()];
    const nzbn = makeTestNzbn();
    const page = await first.checkout({ nzbn });
    expect(await ask(second, nzbn)).toMatchObject(taken);
    expect((await fetch(page)).status).toBe(200);
    expect(await first.checkout({ nzbn })).toBe(page);
    await harness.pass(31 * minutes);
    const next = await second.checkout({ nzbn });
    expect((await fetch(page)).status).toBe(410);
    expect(await ask(first, nzbn)).toMatchObject(taken);
    await pressButton(next, 'Pay');
    expect([await isLive(first), await isLive(second)]).toEqual([false, true]);
  });

  it('is free again at once where the person who claimed it moves on to another number', async () => {
    const [first, second] = [await harness.member(), await harness.member()];
    const nzbn = makeTestNzbn();
    const page = await first.checkout({ nzbn });
    await first.checkout({ nzbn: makeTestNzbn() });
    expect((await ask(second, nzbn)).status).toBe(200);
    expect((await fetch(page)).status).toBe(410);
  });

  it('goes to one of many concurrent requests', async () => {
    const nzbn = makeTestNzbn();
    const members = await Promise.all(Array.from({ length: 5 }, () => harness.member()));
    const answers = await Promise.all(members.map((member) => ask(member, nzbn)));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 409, 409, 409, 409,
    ]);
    await harness.pass(31 * minutes);
    const again = await Promise.all(members.map((member) => ask(member, nzbn)));
    const pages = [...answers, ...again].filter(({ status }) => status === 200).map(({ body }) => String(body['url']));
    const open = await Promise.all([...new Set(pages)].map(async (page) => (await fetch(page)).status));
    expect(open.filter((status) => status === 200)).toHaveLength(1);
  });

  it('is rejected where the other has just paid and no webhook has come yet', async () => {
    const [first, second] = [await harness.member(), await harness.member()];
    const nzbn = makeTestNzbn();
    await subscribe(first, nzbn);
    // The claim is as it stood before the event came.
    await rawSql`update users set tradie_id = null, subscription_status = null where id = ${first.id}`.execute(
      harness.database.sql,
    );
    await rawSql`delete from tradies where user_id = ${first.id}`.execute(harness.database.sql);
    await rawSql`update billing_checkout set state = 'open' where user_id = ${first.id}`.execute(harness.database.sql);
    await rawSql`delete from nzbn_claim where nzbn = ${nzbn}`.execute(harness.database.sql);
    expect(await ask(second, nzbn)).toMatchObject(taken);
    expect(await first.tradie()).toMatchObject({ nzbn });
    expect(await isLive(first)).toBe(true);
  });

  it('has one trial: another account with it pays from the first day, and the page says so', async () => {
    const [first, second] = [await harness.member(), await harness.member()];
    const nzbn = makeTestNzbn();
    await subscribe(first, nzbn);
    await lapse(first);
    const page = await second.checkout({ nzbn });
    expect(await (await fetch(page)).text()).not.toContain('days free');
    await pressButton(page, 'Pay');
    expect((await second.user()).subscriptionStatus).toBe('active');
  });

  it('can be taken over from a lapsed business, which is no longer verified and cannot come back beside it', async () => {
    const [first, second] = [await harness.member(), await harness.member()];
    const nzbn = makeTestNzbn();
    await subscribe(first, nzbn);
    await lapse(first);
    expect(await first.tradie()).toMatchObject({ isVerified: true });
    await subscribe(second, nzbn);
    expect([(await first.tradie())?.isVerified, (await second.tradie())?.isVerified]).toEqual([false, true]);
    expect(await ask(first, nzbn)).toMatchObject(taken);

    await lapse(second);
    await subscribe(first, nzbn);
    expect([(await first.tradie())?.isVerified, (await second.tradie())?.isVerified]).toEqual([true, false]);
  });

  it('stays with the business that had it first, where a second was paid all the same', async () => {
    const [first, second] = [await harness.member(), await harness.member()];
    const nzbn = makeTestNzbn();
    await subscribe(first, nzbn);
    // A page of an earlier version, which claimed no number.
    const page = await second.checkout();
    await rawSql`update billing_checkout set tradie_data = jsonb_set(tradie_data, '{nzbn}', to_jsonb(${nzbn}::text)) where user_id = ${second.id}`.execute(
      harness.database.sql,
    );
    await pressButton(page, 'Pay');
    expect(await isLive(second)).toBe(true);
    expect(await second.tradie()).toMatchObject({ nzbn: '', isVerified: false });
    expect(await first.tradie()).toMatchObject({ nzbn, isVerified: true });
  });

  it('leaves those who share one from before as they are; the oldest live one holds it', async () => {
    const db = await openTestDb(kind);
    const [lapsed, oldest, younger] = [
      makeUser({ subscriptionStatus: 'canceled' }),
      makeUser({ subscriptionStatus: 'active' }),
      makeUser({ subscriptionStatus: 'active' }),
    ];
    const tradieOf = (user: User, createdAt: string) =>
      makeTradie({ userId: user.id, nzbn: '9429040402543', createdAt });
    const tradies = [
      tradieOf(lapsed, '2025-01-01T00:00:00.000Z'),
      tradieOf(oldest, '2025-02-01T00:00:00.000Z'),
      tradieOf(younger, '2025-03-01T00:00:00.000Z'),
    ];
    await rawSql`drop table nzbn_claim`.execute(db.sql);
    await rawSql`drop index tradies_nzbn`.execute(db.sql);
    await rawSql`drop index billing_checkout_nzbn`.execute(db.sql);
    await rawSql`delete from mikro_orm_migrations where name = '0012-nzbn-claims'`.execute(db.sql);
    await insertRows(db.sql, 'users', [younger, oldest, lapsed]);
    await insertRows(db.sql, 'tradies', tradies.toReversed());
    await db.migrate();
    const { rows } = await rawSql`select nzbn, holder_id, has_subscribed, claimed_by from nzbn_claim`.execute(db.sql);
    expect(rows).toEqual([{ nzbn: '9429040402543', holder_id: oldest.id, has_subscribed: true, claimed_by: null }]);
    expect(
      (await rawSql`select 1 from tradies where nzbn = '9429040402543' and is_verified`.execute(db.sql)).rows,
    ).toHaveLength(3);
    await db.close();
  });
});
