import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../db/clock.ts';
import type { Watched } from '../lib/cell.ts';
import { createAuthClient, type AuthClient } from '../session/auth-client.ts';
import { createAuthStorage, readDevice } from '../session/auth-storage.ts';
import { createSession, type Session } from '../session/create-session.ts';
import { openDeviceDb, type DeviceDb } from '../session/device-db.ts';
import { readMailedSession } from '../session/mailed-session.ts';
import { createFakeAuthServer } from '../session/testing/fake-auth-server.ts';
import { createDeferred } from '../testing/deferred.ts';
import { createMailedLink } from './create-mailed-link.ts';

/*
 * A mailed link in a browser where a person is signed in already (S9). Session, storage and client are the product's;
 * the provider is not.
 */

const aroha = 'a1a1a1a1-0000-4000-8000-000000000001';
const ben = 'b2b2b2b2-0000-4000-8000-000000000002';

let db: DeviceDb;
let server: ReturnType<typeof createFakeAuthServer>;
let session: Session;
let client: Promise<AuthClient>;
let log: unknown[];

beforeEach(async () => {
  db = openDeviceDb();
  await db.open();
  server = createFakeAuthServer();
  log = [];
  const storage = createAuthStorage(db, systemClock);
  client = createAuthClient({
    config: { supabaseUrl: 'https://auth.example.nz', supabaseAnonKey: 'anon' },
    storage,
    fetch: server.fetch,
    isPage: true,
  });
  session = createSession({
    db,
    clock: systemClock,
    storage,
    openAuth: () => client,
    wipeStorage: async () => 'gone',
    homeUrl: '',
    log: () => undefined,
  });
});
afterEach(async () => {
  await (await client).stopAutoRefresh();
  session.stop();
  await db.delete();
});

function open(userId: string, hash = server.mailedHash(userId, 'recovery')) {
  const link = createMailedLink({
    session,
    mailed: readMailedSession(hash),
    clearAddress: () => void log.push('address cleared'),
  });
  return { link, taking: link.take((comesIn) => void log.push(comesIn ? 'comes in' : 'stays out')) };
}

function until<T>(watched: Watched<T>, isWanted: (value: T) => boolean): Promise<T> {
  return new Promise((resolve) => {
    const look = () => isWanted(watched.current()) && (stop(), resolve(watched.current()));
    const stop = watched.subscribe(look);
    look();
  });
}
const asked = (link: ReturnType<typeof createMailedLink>) => until(link.question, (question) => question !== null);
const here = async () => {
  const { person, session: kept } = await readDevice(db);
  return [person?.userId, kept?.user.id];
};
const signIn = async () => void (await session.signIn('me@example.nz', 'right'));

test('[S9] a link for another person asks the person signed in, and until they answer nothing changes', async () => {
  await signIn();
  const { link, taking } = open(ben);
  const question = await asked(link);
  expect(question).toMatchObject({ here: { userId: aroha, email: 'a1a1@example.nz' }, comingEmail: 'b2b2@example.nz' });
  expect([await here(), log]).toEqual([[aroha, aroha], []]);
  question?.answer(true);
  await taking;
  expect([await here(), log, link.question.current()]).toEqual([[ben, ben], ['comes in', 'address cleared'], null]);
});

test('[S9] a person who signs in while a link for another is being taken is asked as well, and stays until they answer', async () => {
  const isAsked = createDeferred<void>();
  const held = createDeferred<void>();
  const own = server;
  const slow = (async (input: RequestInfo | URL, init?: RequestInit) => {
    if (String(input instanceof Request ? input.url : input).endsWith('/user')) {
      isAsked.resolve();
      await held.promise;
    }
    return own.fetch(input, init);
  }) as typeof globalThis.fetch;
  const storage = createAuthStorage(db, systemClock);
  const openAuth = () =>
    createAuthClient({
      config: { supabaseUrl: 'https://auth.example.nz', supabaseAnonKey: 'anon' },
      storage,
      fetch: slow,
      isPage: false,
    });
  const otherTab = session;
  session = createSession({
    db,
    clock: systemClock,
    storage,
    openAuth,
    wipeStorage: async () => 'gone',
    homeUrl: '',
    log: () => undefined,
  });
  const { link, taking } = open(ben);
  await isAsked.promise;
  await otherTab.signIn('me@example.nz', 'right');
  held.resolve();
  const question = await asked(link);
  expect([question?.here.userId, await here()]).toEqual([aroha, [aroha, aroha]]);
  question?.answer(true);
  await taking;
  expect(await here()).toEqual([ben, ben]);
  otherTab.stop();
});

test('[S9] a person who chooses to stay stays, and the link’s session ends', async () => {
  await signIn();
  const { link, taking } = open(ben);
  (await asked(link))?.answer(false);
  await taking;
  expect([await here(), log]).toEqual([
    [aroha, aroha],
    ['stays out', 'address cleared'],
  ]);
  expect(server.calls.at(-1)).toBe('/logout?scope=local');
});

test('no question where no person is signed in, nor where the link is for the person who is', async () => {
  for (const _ of ['no person is here', 'it is theirs']) {
    const { link, taking } = open(ben);
    await taking;
    expect([await here(), link.question.current()]).toEqual([[ben, ben], null]);
    await until(session.state, (state) => state.kind === 'signed-in');
  }
});

test('[S9] a person whose account came back under another id is not asked about their own address, and what they left under it is noted', async () => {
  await signIn();
  const id = 'a1a1a1a1-0000-4000-8000-00000000000f';
  const { link, taking } = open(id);
  await taking;
  expect([await here(), link.question.current(), log]).toEqual([[id, id], null, ['comes in', 'address cleared']]);
  expect((await readDevice(db)).person?.email).toBe('a1a1@example.nz');
  expect((await db.entries.get(`former:${id}`))?.value).toEqual([aroha]);
});

test('a person who logs out elsewhere while they are asked is asked no more', async () => {
  await signIn();
  const { link, taking } = open(ben);
  await asked(link);
  await session.signOut(aroha);
  await taking;
  expect([await here(), log, link.question.current()]).toEqual([[ben, ben], ['comes in', 'address cleared'], null]);
});

test('an address that holds no session replaces no person', async () => {
  await signIn();
  for (const hash of [
    '#access_token=x&refresh_token=y&type=signup',
    '#access_token=a.%%.c&refresh_token=y',
    '#type=signup',
  ]) {
    await expect(open(ben, hash).taking).rejects.toThrow('cannot be read');
  }
  expect([await here(), log]).toEqual([[aroha, aroha], []]);
});

test('a person who comes to choose a password, for an account without one too, is to choose one; one who was here and stays is not', async () => {
  const { link, taking } = open(aroha, `${server.mailedHash(aroha, 'recovery')}&password=none`);
  expect(link.choosesPassword.current()).toBeNull();
  await taking;
  expect(link.choosesPassword.current()).toEqual({ userId: aroha, reason: 'missing' });

  const lost = open(aroha, `${server.mailedHash(aroha, 'recovery')}&password=lost`);
  await lost.taking;
  expect(lost.link.choosesPassword.current()).toEqual({ userId: aroha, reason: 'lost' });

  const reset = open(aroha, server.mailedHash(aroha, 'recovery'));
  await reset.taking;
  expect(reset.link.choosesPassword.current()).toEqual({ userId: aroha, reason: 'reset' });

  const other = open(ben, `${server.mailedHash(ben, 'recovery')}&password=none`);
  (await asked(other.link))?.answer(false);
  await other.taking;
  expect(other.link.choosesPassword.current()).toBeNull();
});
