import fc from 'fast-check';
import { sql as rawSql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestId } from '../../shared/testing/make.ts';
import {
  onboarding,
  openPaymentHarness,
  pressButton,
  type Member,
  type PaymentHarness,
} from '../testing/payment-harness.ts';
import { openTestApp } from '../testing/test-app.ts';
import { usualDatabase } from '../testing/test-db.ts';

describe.each(usualDatabase)('the calls about money on %s', (kind) => {
  let harness: PaymentHarness;
  let member: Member;
  beforeAll(async () => {
    harness = await openPaymentHarness(kind);
    member = await harness.member();
  });
  afterAll(() => harness.close());

  const checkout = (tradieData: unknown, email: unknown = member.email) =>
    member.call('POST', '/api/stripe/create-checkout', { tradieData, email });
  const calls = [
    ['POST', 'create-checkout'],
    ['POST', 'create-portal'],
    ['GET', 'subscription'],
  ] as const;

  it.each(calls)('%s %s is for members', async (method, name) => {
    const body =
      method === 'POST'
        ? {
            body: JSON.stringify({ tradieData: onboarding, email: 'a@example.nz' }),
            headers: { 'Content-Type': 'application/json' },
          }
        : {};
    expect((await harness.app.call(`/api/stripe/${name}`, { method, ...body })).status).toBe(401);
    const stranger = { Authorization: `Bearer ${makeTestId()}` };
    const answer = await harness.app.call(`/api/stripe/${name}`, {
      method,
      ...body,
      headers: { ...body.headers, ...stranger },
    });
    expect([answer.status, await answer.json()]).toEqual([403, expect.objectContaining({ code: 'profile-missing' })]);
  });

  it('are for tradies where there is a subscription to speak of', async () => {
    expect(await member.call('POST', '/api/stripe/create-portal')).toMatchObject({
      status: 403,
      body: { code: 'not-a-tradie' },
    });
    expect(await member.call('GET', '/api/stripe/subscription')).toMatchObject({
      status: 403,
      body: { code: 'not-a-tradie' },
    });

    const seeded = await harness.member();
    const tradieId = makeTestId();
    await rawSql`insert into tradies select * from jsonb_populate_record(null::tradies, ${JSON.stringify({
      id: tradieId,
      user_id: seeded.id,
      business_name: 'A',
      nzbn: '',
      is_verified: false,
      logo: '',
      description: '',
      category_ids: [],
      contact_person_first_name: '',
      contact_person_last_name: '',
      business_address: '',
      email: seeded.email,
      created_at: new Date().toISOString(),
    })}::jsonb)`.execute(harness.database.sql);
    await rawSql`update users set tradie_id = ${tradieId} where id = ${seeded.id}`.execute(harness.database.sql);
    expect(await seeded.call('POST', '/api/stripe/create-portal')).toMatchObject({
      status: 404,
      body: { code: 'no-subscription' },
    });
    expect(await seeded.call('GET', '/api/stripe/subscription')).toEqual({
      status: 200,
      body: { trialEnd: null, currentPeriodEnd: null },
    });
  });

  it('refuse a new business name with a web address at its field; a business that is called so already comes back as it is', async () => {
    const member = await harness.member();
    const ask = (businessName: string) =>
      member.call('POST', '/api/stripe/create-checkout', {
        tradieData: { ...onboarding, nzbn: '9429040402551', businessName },
        email: member.email,
      });
    const refused = {
      status: 400,
      body: {
        code: 'invalid',
        details: { fields: { 'tradieData.businessName': expect.stringContaining('address') as string } },
      },
    };
    expect(await ask('Dwang Support http://evil.example/pay')).toMatchObject(refused);
    await pressButton(await member.checkout(), 'Pay');
    await rawSql`update tradies set business_name = 'gates.co.nz' where user_id = ${member.id}`.execute(
      harness.database.sql,
    );
    const portal = await member.portal();
    for (const button of ['Cancel subscription', 'Cancel subscription']) await pressButton(portal, button);
    expect(await ask('gates.com')).toMatchObject(refused);
    expect(await ask('gates.co.nz')).toMatchObject({ status: 200 });
  });

  it('shorten long texts, take any New Zealand phone or none, and a town or none [§5]', async () => {
    const long = {
      businessName: 'n'.repeat(199) + '🏠',
      businessAddress: 'a'.repeat(400),
      description: 'd'.repeat(500),
      contactPhone: null,
      locationId: null,
      nzbn: '9429040402544',
      categoryIds: '[]',
    };
    const other = await harness.member();
    await pressButton(await other.checkout(long), 'Pay');
    const tradie = await other.tradie();
    expect(tradie).toMatchObject({
      businessName: 'n'.repeat(199),
      contactPhone: null,
      locationId: null,
      isVerified: false,
      categoryIds: [],
    });
    expect([tradie?.businessAddress.length, tradie?.description.length]).toEqual([300, 400]);
  });

  it('name every field that is wrong [§5]', async () => {
    const bad = {
      nzbn: '1234',
      businessName: ' ',
      businessAddress: 7,
      contactPhone: '12345',
      description: null,
      logo: 3,
      categoryIds: 'plumber',
      locationId: '',
    };
    const answer = await checkout(bad, 'nobody');
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid' } });
    const { fields } = answer.body['details'] as { fields: Record<string, string> };
    expect(Object.keys(fields).toSorted()).toEqual(
      [...Object.keys(bad).map((name) => `tradieData.${name}`), 'email'].toSorted(),
    );
    expect(answer.body['error']).toHaveLength(9);
    expect(fields['tradieData.contactPhone']).toBe('Please enter a valid New Zealand phone number');

    const unknown = await checkout({
      ...onboarding,
      categoryIds: '["plumber","dragons"]',
      locationId: 'otago/atlantis',
      logo: 'https://elsewhere.example/logo.png',
    });
    expect(Object.keys((unknown.body['details'] as { fields: object }).fields)).toEqual([
      'tradieData.categoryIds',
      'tradieData.locationId',
      'tradieData.logo',
    ]);
    for (const nothing of [undefined, null, [], 'x', {}]) expect((await checkout(nothing)).status).toBe(400);
  });

  it('take a logo that one has uploaded only', async () => {
    const other = await harness.member();
    const put = (name: string, ownerId: string) =>
      rawSql`insert into embedded.objects
      (id, bucket_id, name, owner_id, version, size, mime_type, cache_control, md5, created_at, updated_at)
      values (${makeTestId()}, 'tradie-logos', ${name}, ${ownerId}, ${makeTestId()}, 1, 'image/png', '', '', now(), now())`.execute(
        harness.database.sql,
      );
    await put('f1/1-logo.png', member.id);
    await put('f2/1-logo.png', other.id);
    const at = (name: string) => `${harness.app.origin}/storage/v1/object/public/tradie-logos/${name}`;
    for (const foreign of [
      at('f2/1-logo.png'),
      at('f3/1-logo.png'),
      at('f1/1-logo.png').replace('tradie-logos', 'job-photos'),
      at('f2/../f1/1-logo.png'),
      'javascript:alert(1)',
    ]) {
      expect((await checkout({ ...onboarding, logo: foreign })).status, foreign).toBe(400);
    }
    await pressButton(await other.checkout({ logo: `${at('f2/1-logo.png')}?width=5` }), 'Pay');
    expect((await other.tradie())?.logo).toBe('tradie-logos/f2/1-logo.png');
  });

  it('answer whatever is sent with yes or a reason, never with an error', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom('\u0000', '\ud800', '[]', '["plumber"]', '[1]', '{}', '9429040402543', '021 123 4567'),
    );
    const value = fc.oneof(text, fc.constant(null), fc.integer(), fc.array(text, { maxLength: 2 }));
    const shape = fc.record(
      {
        nzbn: fc.oneof(fc.constant(onboarding.nzbn), value),
        businessName: text,
        businessAddress: text,
        contactPhone: fc.oneof(fc.constant(null), value),
        description: text,
        logo: fc.oneof(fc.constant(''), value),
        categoryIds: fc.oneof(
          fc.constant('["plumber"]'),
          fc.array(text, { maxLength: 2 }).map((list) => JSON.stringify(list)),
          value,
        ),
        locationId: fc.oneof(fc.constant(null), value),
      },
      { requiredKeys: ['nzbn', 'categoryIds'] },
    );
    await fc.assert(
      fc.asyncProperty(shape, async (tradieData) => {
        const { status, body } = await checkout(tradieData);
        expect([200, 400], JSON.stringify(body)).toContain(status);
      }),
      { numRuns: 120, seed: 5 },
    );
  });
});

describe('without a provider', () => {
  it('says that payments are not set up, and takes no events', async () => {
    const harness = await openPaymentHarness('pglite');
    const app = await openTestApp({
      database: harness.database,
      verifyToken: async (userId) => ({ userId, email: '' }),
    });
    const member = await harness.member();
    const answer = await app.call('/api/stripe/create-checkout', {
      method: 'POST',
      headers: { Authorization: `Bearer ${member.id}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ tradieData: onboarding, email: member.email }),
    });
    expect(answer.status).toBe(503);
    expect((await app.call('/api/stripe/webhook', { method: 'POST', body: '{}' })).status).toBe(404);
    expect((await app.call('/dev/payments/checkout/cs_test_1')).status).toBe(404);
    await app.close();
    await harness.close();
  });
});
