import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../db/clock.ts';
import { createAuthClient, type AuthClient } from './auth-client.ts';
import {
  createAuthStorage,
  forgetPerson,
  readDevice,
  storageKey,
  type AuthStorage,
  type StoredSession,
} from './auth-storage.ts';
import { createTokens, type Tokens } from './create-tokens.ts';
import { openDeviceDb, type DeviceDb } from './device-db.ts';
import { createFakeAuthServer } from './testing/fake-auth-server.ts';

/*
 * Two people and one browser (S9). Storage, authentication client and tokens are the product's; the provider is a fake:
 * its answers, and when they come, are set here.
 */

const aroha = 'a1a1a1a1-0000-4000-8000-000000000001';
const ben = 'b2b2b2b2-0000-4000-8000-000000000002';

let db: DeviceDb;
let server: ReturnType<typeof createFakeAuthServer>;
let storage: AuthStorage;
let client: AuthClient;
let tokensOfAroha: Tokens;

beforeEach(async () => {
  db = openDeviceDb();
  await db.open();
  server = createFakeAuthServer();
  ({ storage, client, tokens: tokensOfAroha } = await openTab(aroha));
});
afterEach(async () => {
  await client.dispose();
  await db.delete();
});

/** Another tab has its own client and its own storage over the same database. */
async function openTab(userId: string) {
  const own = createAuthStorage(db, systemClock);
  const config = { supabaseUrl: 'https://auth.example.nz', supabaseAnonKey: 'anon' };
  const auth = await createAuthClient({ config, storage: own, fetch: server.fetch, isPage: false });
  const tokens = createTokens({ db, clock: systemClock, userId, openAuth: async () => auth, log: () => undefined });
  return { storage: own, client: auth, tokens };
}

async function signIn(userId: string, changes: Partial<StoredSession> = {}): Promise<StoredSession> {
  const session = { ...server.session(userId), ...changes };
  await storage.signingIn(() => storage.setItem(storageKey, JSON.stringify(session)));
  return session;
}

/** The provider has the request, and its answer is held back. */
function holdRefresh() {
  let asked = () => undefined as void;
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  let answer = (_response: Response) => undefined as void;
  server.onRefresh(() => {
    asked();
    return new Promise<Response>((resolve) => (answer = resolve));
  });
  return { isAsked, answer: (response: Response) => answer(response) };
}

const onDevice = async () => {
  const { person, session } = await readDevice(db);
  return [person?.userId, session?.user.id, session?.access_token];
};

test('[S9] another person’s session is no session: no token, nothing renewed, and nothing asked of the provider', async () => {
  await signIn(aroha);
  expect(await tokensOfAroha.accessToken()).toBe('token-1');
  const other = await signIn(ben, { expires_in: 10 });
  expect([await tokensOfAroha.accessToken(), await tokensOfAroha.refresh()]).toEqual([null, 'signed-out']);
  expect(server.calls).toEqual([]);
  expect(await onDevice()).toEqual([ben, ben, other.access_token]);
});

test('[S9] a renewal that comes back after another person signed in is dropped, and theirs stays', async () => {
  await signIn(aroha);
  const held = holdRefresh();
  const refreshing = tokensOfAroha.refresh();
  await held.isAsked;
  const other = await signIn(ben);
  held.answer(Response.json(server.session(aroha)));
  expect(await refreshing).toBe('signed-out');
  expect(await tokensOfAroha.accessToken()).toBeNull();
  expect(await onDevice()).toEqual([ben, ben, other.access_token]);
});

test('[S9] a renewal that is rejected after another person signed in ends no session', async () => {
  await signIn(aroha);
  const held = holdRefresh();
  const refreshing = tokensOfAroha.refresh();
  await held.isAsked;
  // By the clock it has ended: the client treats it as expired.
  const other = await signIn(ben, { expires_in: -10 });
  held.answer(server.problem(400, 'refresh_token_not_found', 'Invalid Refresh Token'));
  expect(await refreshing).toBe('signed-out');
  expect(await onDevice()).toEqual([ben, ben, other.access_token]);
});

test('[S9] a renewal that was under way at log-out signs no person in again', async () => {
  await signIn(aroha);
  const held = holdRefresh();
  const refreshing = tokensOfAroha.refresh();
  await held.isAsked;
  await forgetPerson(db, aroha);
  held.answer(Response.json(server.session(aroha)));
  expect(await refreshing).toBe('signed-out');
  expect(await onDevice()).toEqual([undefined, undefined, undefined]);
});

test('[S9] a log-out in a tab that has not noticed another person’s sign-in leaves that person alone', async () => {
  await signIn(aroha);
  const other = await signIn(ben);
  expect(await forgetPerson(db, aroha)).toBeUndefined();
  expect(await onDevice()).toEqual([ben, ben, other.access_token]);
});

test('[S9] even what the client would save by itself takes a device over only during a sign-in', async () => {
  const other = await signIn(ben);
  const late = server.session(aroha);
  const tab = await openTab(aroha);
  await tab.storage.setItem(storageKey, JSON.stringify(late));
  expect(await onDevice()).toEqual([ben, ben, other.access_token]);
  await tab.storage.signingIn(() => tab.storage.setItem(storageKey, JSON.stringify(late)));
  expect(await onDevice()).toEqual([aroha, aroha, late.access_token]);
  await tab.client.dispose();
});

test('[S9] what is done for one person finds their session or none', async () => {
  await signIn(ben);
  const found = async (userId: string) =>
    (await storage.actingFor(userId, () => client.getSession())).data.session?.user.id;
  expect([await found(aroha), await found(ben)]).toEqual([undefined, ben]);
});
