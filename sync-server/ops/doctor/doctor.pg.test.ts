import { createServer, type AddressInfo } from 'node:net';
import { sql } from 'kysely';
import webPush from 'web-push';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStripe, stripeVersion } from '../../billing/create-stripe.ts';
import { handledEvents } from '../../billing/process-event.ts';
import { makeTradie, makeUser } from '../../../shared/testing/make.ts';
import { insertRows } from '../../db/write-rows.ts';
import { readConfig } from '../../lib/config.ts';
import { openTestDb, type TestDatabase } from '../../testing/test-db.ts';
import { examine } from './examine.ts';
import type { Finding } from './finding.ts';

const publicUrl = 'https://dwang.example.nz';

const price = {
  id: 'price_1',
  object: 'price',
  active: true,
  currency: 'nzd',
  unit_amount: 1900,
  recurring: { interval: 'month', interval_count: 1 },
  tax_behavior: 'exclusive',
};
const endpoint = {
  url: `${publicUrl}/api/stripe/webhook`,
  status: 'enabled',
  enabled_events: [...handledEvents],
  api_version: stripeVersion,
};

/** Everything as docs/deploy says, by request path. */
const whole: Record<string, unknown> = {
  '/v1/prices/price_1': price,
  '/v1/tax/settings': { object: 'tax.settings', status: 'active' },
  '/v1/tax/registrations': { object: 'list', data: [{ country: 'NZ' }] },
  '/v1/webhook_endpoints': { object: 'list', data: [endpoint] },
  '/v1/billing_portal/configurations': {
    object: 'list',
    data: [{ features: { subscription_cancel: { enabled: true } } }],
  },
  '/auth/v1/.well-known/jwks.json': { keys: [{ alg: 'ES256' }] },
  '/auth/v1/settings': { external: { email: true }, disable_signup: false },
  'POST /storage/v1/object/list-v2/job-photos': { hasNext: false, folders: [], objects: [] },
  '/storage/v1/object/public/job-photos/doctor/nothing.png': {
    statusCode: '404',
    error: 'not_found',
    message: 'Object not found',
  },
  '/storage/v1/object/public/tradie-logos/doctor/nothing.png': {
    statusCode: '404',
    error: 'not_found',
    message: 'Object not found',
  },
};

/** Answers from a table; what is not in it, and writing, is rejected. */
function world(changes: Record<string, unknown> = {}): typeof fetch {
  const answers = { ...whole, ...changes };
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    const known = request.method === 'GET' ? answers[pathname] : answers[`POST ${pathname}`];
    return new Response(
      JSON.stringify(known ?? { error: { type: 'invalid_request_error', message: 'There is nothing here.' } }),
      { status: known === undefined ? 404 : 200 },
    );
  };
}

describe('the doctor', () => {
  let database: TestDatabase;
  let mail: ReturnType<typeof createServer>;
  let env: Record<string, string>;

  beforeAll(async () => {
    database = await openTestDb('postgres');
    await sql`create schema storage`.execute(database.sql);
    await sql`create table storage.objects (id int)`.execute(database.sql);
    for (const policy of [
      'People see their own files',
      'People add files of their own',
      'People replace their own files',
      'People remove their own files',
    ]) {
      await sql`create policy ${sql.id(policy)} on storage.objects for select using (true)`.execute(database.sql);
    }
    mail = createServer((socket) => socket.end('220 mail.example.nz ready\r\n')).listen(0, '127.0.0.1');
    await new Promise((resolve) => mail.once('listening', resolve));
    env = {
      PUBLIC_URL: publicUrl,
      TRUSTED_PROXIES: 'loopback',
      DATABASE_URL: database.url ?? '',
      SUPABASE_URL: 'https://x.supabase.co',
      SUPABASE_ANON_KEY: 'public',
      SUPABASE_SERVICE_ROLE_KEY: 'sb_secret_x',
      STRIPE_SECRET_KEY: 'sk_live_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
      STRIPE_PRICE_ID: 'price_1',
      SMTP_URL: `smtp://127.0.0.1:${(mail.address() as AddressInfo).port}`,
      MAIL_FROM: 'Dwang <kiaora@dwang.example.nz>',
    };
  });
  afterAll(async () => {
    await new Promise((resolve) => mail.close(resolve));
    await database.close();
  });

  function findings(changes: Record<string, unknown> = {}, given: Record<string, string> = {}): Promise<Finding[]> {
    const ask = world(changes);
    const config = readConfig({ ...env, ...given });
    return examine({ config, database, stripe: config.stripe && createStripe({ ...config.stripe, fetch: ask }), ask });
  }
  const bad = async (...given: Parameters<typeof findings>) =>
    (await findings(...given)).filter(({ level }) => level !== 'good').map(({ says }) => says);

  it('finds nothing to say where all is as it should be', async () => {
    expect(await bad()).toEqual([]);
    expect(await findings()).toHaveLength(16);
  });

  it('says where phones cannot be told of news, and where they can', async () => {
    const alerts = async (given: Record<string, string>) =>
      (await findings({}, given)).filter(({ about }) => about === 'Alerts').map(({ level }) => level);
    const [one, other] = [webPush.generateVAPIDKeys(), webPush.generateVAPIDKeys()];
    const keys = { VAPID_PUBLIC_KEY: one.publicKey, VAPID_PRIVATE_KEY: one.privateKey };
    expect(await alerts({ NODE_ENV: 'production' })).toEqual(['warning']);
    expect(await alerts({ NODE_ENV: 'production', ...keys })).toEqual(['good']);
    expect(await alerts({ ...keys, VAPID_PRIVATE_KEY: other.privateKey })).toEqual(['missing']);
    expect(await alerts({})).toEqual(['good']);
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    [
      'a price that is not the promised one',
      { '/v1/prices/price_1': { ...price, unit_amount: 2185, tax_behavior: 'inclusive' } },
      /21\.85, not \$19\.00; GST must come on top/,
    ],
    ['no price', { '/v1/prices/price_1': undefined }, /price_1 could not be looked at/],
    ['no tax', { '/v1/tax/settings': { status: 'pending' } }, /Stripe Tax is not set up/],
    [
      'no GST',
      { '/v1/tax/registrations': { object: 'list', data: [{ country: 'AU' }] } },
      /no active tax registration for New Zealand/,
    ],
    [
      'no webhook',
      {
        '/v1/webhook_endpoints': {
          object: 'list',
          data: [{ ...endpoint, url: 'https://old.example.nz/api/stripe/webhook' }],
        },
      },
      /no webhook endpoint for https:\/\/dwang\.example\.nz\/api\/stripe\/webhook/,
    ],
    [
      'a webhook that hears too little',
      { '/v1/webhook_endpoints': { object: 'list', data: [{ ...endpoint, enabled_events: ['invoice.paid'] }] } },
      /does not send checkout\.session\.completed/,
    ],
    [
      'a webhook of another version',
      { '/v1/webhook_endpoints': { object: 'list', data: [{ ...endpoint, api_version: '2024-06-20' }] } },
      /speaks 2024-06-20/,
    ],
    [
      'a portal without cancelling',
      {
        '/v1/billing_portal/configurations': {
          object: 'list',
          data: [{ features: { subscription_cancel: { enabled: false } } }],
        },
      },
      /cannot cancel/,
    ],
    ['no keys', { '/auth/v1/.well-known/jwks.json': { keys: [] } }, /publishes no keys/],
    [
      'no sign-up',
      { '/auth/v1/settings': { external: { email: true }, disable_signup: true } },
      /Signing up is turned off/,
    ],
    [
      'no bucket',
      {
        '/storage/v1/object/public/job-photos/doctor/nothing.png': {
          statusCode: '404',
          error: 'Bucket not found',
          message: 'Bucket not found',
        },
      },
      /bucket job-photos is missing/,
    ],
    [
      'a bucket open to all',
      { 'POST /storage/v1/object/job-photos/doctor/nothing.png': { Key: 'x' } },
      /Every caller may write to job-photos/,
    ],
    [
      'a key that storage does not take',
      { 'POST /storage/v1/object/list-v2/job-photos': undefined },
      /is SUPABASE_SERVICE_ROLE_KEY right\?\) could not be looked at: storage answered 404/,
    ],
  ])('finds %s', async (_, changes, words) => {
    expect(await bad(changes)).toEqual([expect.stringMatching(words)]);
  });

  it('says that no forwarded header is trusted, where a proxy must be in front', async () => {
    expect(await bad({}, { TRUSTED_PROXIES: '' })).toEqual([
      expect.stringContaining('everybody counts as one address'),
    ]);
  });

  it('says what is kept for ever without the key to all files', async () => {
    expect(await bad({}, { SUPABASE_SERVICE_ROLE_KEY: '' })).toEqual([
      expect.stringContaining('SUPABASE_SERVICE_ROLE_KEY is not set'),
    ]);
  });

  it('names live businesses that share a number from before that was rejected, by their ids', async () => {
    const users = [
      makeUser({ subscriptionStatus: 'active' }),
      makeUser({ subscriptionStatus: 'past_due' }),
      makeUser({ subscriptionStatus: 'canceled' }),
    ];
    const tradies = users.map((user, index) =>
      makeTradie({ userId: user.id, nzbn: '9429040402543', createdAt: `2025-0${3 - index}-01T00:00:00.000Z` }),
    );
    await insertRows(database.sql, 'users', users);
    await insertRows(database.sql, 'tradies', tradies);
    const said = (await findings()).map(({ says }) => says).filter((says) => says.includes('9429040402543'));
    expect(said).toEqual([
      expect.stringContaining(`the profiles ${tradies[1]!.id}, ${tradies[0]!.id}, the oldest first`),
    ]);
    await sql`delete from tradies`.execute(database.sql);
    await sql`delete from users`.execute(database.sql);
  });

  it('finds a database behind this version, and policies that are missing', async () => {
    await sql`update mikro_orm_migrations set name = 'elsewhere' where name = '0004-billing'`.execute(database.sql);
    await sql`drop policy "People remove their own files" on storage.objects`.execute(database.sql);
    expect(await bad()).toEqual([
      expect.stringContaining('lacks 0004-billing'),
      expect.stringContaining('People remove their own files'),
    ]);
  });

  it('says what a new installation does by itself', async () => {
    const config = readConfig({});
    const found = await examine({ config, database: undefined, stripe: undefined, ask: world() });
    expect(found.map(({ level }) => level)).toEqual([
      'warning',
      'good',
      'warning',
      'warning',
      'warning',
      'warning',
      'warning',
      'good',
    ]);
  });

  it('finds a mail server that does not answer', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => closed.once('listening', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    expect(
      (await findings({}, { SMTP_URL: `smtp://127.0.0.1:${port}` })).find(({ about }) => about === 'Mail'),
    ).toMatchObject({ level: 'missing', says: expect.stringContaining('could not be looked at') as string });
  });
});
