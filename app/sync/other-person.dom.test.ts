import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeTestId, makeUser } from '../../shared/testing/make.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import { systemClock } from '../db/clock.ts';
import { openPersonDb, type PersonDb } from '../db/person-db.ts';
import { createAuthClient } from '../session/auth-client.ts';
import { createAuthStorage, storageKey, type AuthStorage } from '../session/auth-storage.ts';
import { createTokens } from '../session/create-tokens.ts';
import { openDeviceDb, type DeviceDb } from '../session/device-db.ts';
import { fakeChannel } from '../testing/fake-channel.ts';
import { fakeLocks } from '../testing/fake-locks.ts';
import { fakeNetwork, type FakeNetwork } from '../testing/fake-network.ts';
import { createDeviceServer, type DeviceServer } from '../../sync-server/testing/device-server.ts';
import { memoryCollections } from '../testing/memory-collections.ts';
import { createSync, type Sync } from './create-sync.ts';
import { createHttpTransport } from './http-transport.ts';

/*
 * One browser, two people (S9, I17), as it happened: the tab of one slept with a post waiting, the other signed in
 * elsewhere, the tab woke. Engine, transport, tokens and the storage of the session are the product's; server and
 * network are fakes.
 */

const [aroha, ben] = [makeUser(), makeUser()];
const config = { supabaseUrl: 'https://auth.example.nz', supabaseAnonKey: 'anon' };

let server: DeviceServer;
let network: FakeNetwork;
let deviceDb: DeviceDb;
let storage: AuthStorage;
let db: PersonDb;
let sync: Sync;
let sent: number;
let asked: string[];
let phases: string[];

beforeEach(async () => {
  server = createDeviceServer(systemClock);
  for (const person of [aroha, ben]) server.write((rows) => rows.users.set(person.id, person));
  network = fakeNetwork(server);
  deviceDb = openDeviceDb();
  await deviceDb.open();
  storage = createAuthStorage(deviceDb, systemClock);
  db = openPersonDb(aroha.id);
  sent = 0;
  asked = [];
  phases = [];
  sync = openTab();
});
afterEach(async () => {
  await sync.stop();
  await db.delete();
  await deviceDb.delete();
});

/** Of Aroha's database, with tokens as the product reads them, unless the test plants others. */
function openTab(token?: () => Promise<string>): Sync {
  const openAuth = () =>
    createAuthClient({
      config,
      storage,
      fetch: async (url) => (asked.push(String(url)), Response.error()),
      isPage: false,
    });
  const tokens = createTokens({ db: deviceDb, clock: systemClock, userId: aroha.id, openAuth, log: () => undefined });
  const random = { ...seededRandom(7), next: () => 0.5 };
  const opened = createSync({
    db,
    random,
    locks: fakeLocks(),
    channel: fakeChannel()(),
    userId: aroha.id,
    clock: systemClock,
    transport: createHttpTransport({
      url: '/api/sync',
      fetch: (...args) => ((sent += 1), network.fetchFor('phone')(...args)),
      token: token ?? (async () => (await tokens.accessToken()) ?? undefined),
    }),
    session: token === undefined ? tokens : { ...tokens, isReady: async () => true },
    collections: memoryCollections(server.collections.segment),
    isVisible: () => true,
    seemsOnline: () => true,
  });
  opened.status.subscribe(() => void phases.push(opened.status.current().phase));
  return opened;
}

async function signIn(person: typeof aroha): Promise<void> {
  const session = {
    access_token: network.freshToken(person.id),
    refresh_token: 'r',
    expires_in: 3_600,
    expires_at: 0,
    user: { id: person.id, email: person.email },
  };
  await storage.signingIn(() => storage.setItem(storageKey, JSON.stringify(session)));
}

const post = () =>
  sync.mutate('job.post', {
    id: makeTestId(),
    title: 'Deck',
    description: 'Kwila',
    locationId: 'southland/winton',
    urgency: 'soon',
    categoryId: 'builder',
  });
const inDatabase = async () => [await db.outbox.count(), await db.users.toCollection().primaryKeys()];

test('[S9][I17] a tab that slept while another person signed in sends nothing, keeps what waits, and says that its person must sign in', async () => {
  await signIn(aroha);
  expect(await sync.drain(10_000)).toBe(0);
  network.setMode('phone', 'offline');
  await post();
  await signIn(ben);
  network.setMode('phone', 'online');
  const before = sent;
  expect(await sync.drain(10_000)).toBe(1);
  expect([sent - before, server.decisions, asked]).toEqual([0, [], []]);
  expect(phases).toContain('needs-sign-in');
  expect(await inDatabase()).toEqual([1, [aroha.id]]);

  await signIn(aroha);
  expect(await sync.drain(10_000)).toBe(0);
  expect(server.decisions.map(({ userId, name }) => [userId, name])).toEqual([[aroha.id, 'job.post']]);
});

test('[S9] an answer of `otherPerson` means nothing but the need to sign in: no renewal, no row, nothing decided', async () => {
  await sync.stop();
  // No token of ours can cause this any more: the token is of another person than the database.
  sync = openTab(async () => network.freshToken(ben.id));
  await signIn(ben);
  await post();
  expect(await sync.drain(10_000)).toBe(1);
  expect([sent, server.decisions, asked]).toEqual([1, [], []]);
  expect(phases).toContain('needs-sign-in');
  expect(await inDatabase()).toEqual([1, []]);
});
