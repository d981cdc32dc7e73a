import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ExchangeRequest } from '../../shared/protocol/exchange.ts';
import { openPersonDb, type PersonDb } from '../db/person-db.ts';
import type { Transport, TransportResult } from '../sync/ports.ts';
import { withOwnProfile } from './with-own-profile.ts';

const userId = '018f0000-0000-7000-8000-00000000a0a0';
const own = {
  id: userId,
  email: 'aroha@example.nz',
  firstName: 'Aroha',
  lastName: 'Tautahi',
  tradieId: null,
  subscriptionStatus: null,
  subscriptionValidUntil: null,
  createdAt: '2026-05-01T00:00:00.000Z',
};
const request: ExchangeRequest = { protocol: 1, schema: 1, cookie: null, shelves: {}, mutations: [], awaiting: [] };
const missing: TransportResult = { ok: false, failure: { kind: 'profile-missing' } };

let db: PersonDb;
let asked: string[];
let made: unknown[];
beforeEach(async () => {
  db = openPersonDb(userId);
  await db.users.clear();
  [asked, made] = [[], []];
});
afterEach(() => db.close());

/** A server without this person's profile until it is made, which it answers with `status`. */
function transportTo(status: number): Transport {
  const plain: Transport = async () => {
    asked.push('exchange');
    return made.length > 0 && status < 300
      ? { ok: false, failure: { kind: 'network', heard: true, why: 'a profile is there' } }
      : missing;
  };
  const fetch: typeof globalThis.fetch = async (url, init) => {
    asked.push(`${init?.method} ${String(url)} ${new Headers(init?.headers).get('Authorization')}`);
    made.push(JSON.parse(String(init?.body)));
    return new Response('{}', { status });
  };
  return withOwnProfile(plain, { db, userId, fetch, token: async () => 'token-1', log: () => undefined });
}
const ask = (transport: Transport) => transport(request, new AbortController().signal);

test('whose profile the restored server has lost is not asked for their name again: the phone gives it, and goes on', async () => {
  await db.users.put(own);
  expect(await ask(transportTo(201))).toMatchObject({ failure: { why: 'a profile is there' } });
  expect(made).toEqual([{ email: own.email, firstName: 'Aroha', lastName: 'Tautahi' }]);
  expect(asked).toEqual(['exchange', 'POST /api/users Bearer token-1', 'exchange']);
});

test('a person who has yet to complete the profile is asked for it', async () => {
  expect(await ask(transportTo(201))).toEqual(missing);
  expect(made).toEqual([]);
});

test('where the server does not take it the exchange has failed once, not again and again', async () => {
  await db.users.put(own);
  expect(await ask(transportTo(503))).toEqual(missing);
  expect(asked).toHaveLength(2);
});
