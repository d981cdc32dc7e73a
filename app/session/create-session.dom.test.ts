import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Watched } from '../lib/cell.ts';
import { clearStorage } from '../testing/clear-storage.ts';
import { openAuthClient } from './auth-client.ts';
import { createAuthStorage, readDevice, storageKey } from './auth-storage.ts';
import { createSession, type Session, type SessionState } from './create-session.ts';
import { createDeviceMark } from './device-mark.ts';
import { openDeviceDb, type DeviceDb } from './device-db.ts';
import { createFakeAuthServer } from './testing/fake-auth-server.ts';

let db: DeviceDb;
let server: ReturnType<typeof createFakeAuthServer>;
let now: number;
let isOnline: boolean;
let emptied: string[];
let timers: Set<() => void>;
const sessions: Session[] = [];

beforeEach(async () => {
  db = openDeviceDb();
  await db.open();
  server = createFakeAuthServer();
  now = Date.UTC(2026, 10, 21);
  isOnline = true;
  emptied = [];
  timers = new Set();
});
afterEach(async () => {
  for (const one of sessions.splice(0)) one.stop();
  await db.delete();
});

const clock = {
  now: () => now,
  setTimer: (_ms: number, fire: () => void) => {
    timers.add(fire);
    return () => void timers.delete(fire);
  },
};

function open(changes: Partial<Parameters<typeof createSession>[0]> = {}): Session {
  // A client of its own for each test: one that is still trying when its test is over must not call the next one's server.
  const own = server;
  const fetch = (async (...args: Parameters<typeof globalThis.fetch>) => {
    if (!isOnline) throw new TypeError('Failed to fetch');
    return own.fetch(...args);
  }) as typeof globalThis.fetch;
  const config = { supabaseUrl: 'https://auth.example.nz', supabaseAnonKey: 'anon' };
  const storage = createAuthStorage(db, clock);
  const session = createSession({
    db,
    clock,
    storage,
    openAuth: () => openAuthClient({ config, storage, fetch, isPage: false }),
    wipeStorage: async (userId) => (emptied.push(userId), 'gone'),
    homeUrl: 'https://dwang.example.nz',
    log: () => undefined,
    ...changes,
  });
  sessions.push(session);
  return session;
}

function until(watched: Watched<SessionState>, isWanted: (state: SessionState) => boolean): Promise<SessionState> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isWanted(watched.current())) return;
      unsubscribe();
      resolve(watched.current());
    };
    const unsubscribe = watched.subscribe(look);
    look();
  });
}
const known = (state: SessionState) => state.kind !== 'starting';
const signedIn = (state: SessionState) => state.kind === 'signed-in' && !state.needsSignIn;
const person = { userId: 'a1a1a1a1-0000-4000-8000-000000000001', email: 'a1a1@example.nz' };

test('a client that cannot be made is logged at every attempt, and the session stays as it was', async () => {
  const logged: string[] = [];
  const session = open({
    openAuth: () => Promise.reject(new Error('no configuration')),
    log: (event, detail) => void logged.push(`${event}: ${detail}`),
  });
  for (const times of [1, 2]) {
    await expect(session.signIn('me@example.nz', 'right')).rejects.toThrow('no configuration');
    expect(logged).toEqual(
      Array.from(
        { length: times },
        () => 'session: Failed to initialize authentication client: Error: no configuration',
      ),
    );
  }
  expect(await until(session.state, known)).toEqual({ kind: 'signed-out' });
});

test('a new device has no person', async () => {
  expect(await until(open().state, known)).toEqual({ kind: 'signed-out' });
});

test('signing in is known at once in every tab, and after a start without signal', async () => {
  const [tab, other] = [open(), open()];
  await tab.signIn('me@example.nz', 'right');
  expect(await until(tab.state, signedIn)).toEqual({ kind: 'signed-in', person, needsSignIn: false });
  await until(other.state, signedIn);

  const cold = open({ openAuth: () => Promise.reject(new Error('no configuration')) });
  expect(await until(cold.state, known)).toMatchObject({ kind: 'signed-in', person });
  expect(await cold.tokensFor(person.userId).accessToken()).toBe('token-1');
  expect(await cold.sessionUser()).toEqual({ id: person.userId, email: 'a1a1@example.nz' });
});

test('a wrong password is told in the provider’s own words', async () => {
  await expect(open().signIn('me@example.nz', 'wrong')).rejects.toThrow('Invalid login credentials');
});

test('a token lives as long as the server says, by this device’s own clock', async () => {
  const session = open();
  await session.signIn('me@example.nz', 'right');
  now += 3_500_000;
  expect(await session.tokensFor(person.userId).accessToken()).toBe('token-1');
  now += 60_000;
  expect(await session.tokensFor(person.userId).accessToken()).toBe('token-2');
  now -= 365 * 86_400_000;
  expect(await session.tokensFor(person.userId).accessToken()).toBe('token-3');
});

test('a page looks after its session every 30 s and renews it within the last 90', async () => {
  const ticks = vi.spyOn(globalThis, 'setInterval');
  const storage = createAuthStorage(db, { ...clock, now: () => Date.now() });
  const config = { supabaseUrl: 'https://auth.example.nz', supabaseAnonKey: 'anon' };
  const client = await openAuthClient({ config, storage, fetch: server.fetch, isPage: true });
  await client.initialize();
  await client.startAutoRefresh();
  expect(ticks.mock.calls.map(([, ms]) => ms)).toContain(30_000);
  await client.stopAutoRefresh();
  ticks.mockRestore();
  for (const [leftSeconds, renewals] of [
    [100, 0],
    [80, 1],
  ] as const) {
    await storage.signingIn(() =>
      storage.setItem(storageKey, JSON.stringify({ ...server.session(), expires_in: leftSeconds })),
    );
    await client.getSession();
    expect(server.calls.filter((call) => call.includes('grant_type=refresh_token'))).toHaveLength(renewals);
  }
});

describe('[C10] a renewal that fails', () => {
  let session: Session;
  beforeEach(async () => {
    session = open();
    await session.signIn('me@example.nz', 'right');
    await until(session.state, signedIn);
    now += 4_000_000;
  });
  /** Waits until the client gives up on the provider. */
  const passTimeout = async <T>(work: Promise<T>): Promise<T> => {
    const isDone = work.then(() => true);
    while (!(await Promise.race([isDone, new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 5))]))) {
      for (const fire of Array.from(timers)) fire();
    }
    return work;
  };

  test('without signal keeps session and person', async () => {
    isOnline = false;
    expect(await passTimeout(session.tokensFor(person.userId).refresh())).toBe('network');
    expect(await passTimeout(session.tokensFor(person.userId).accessToken())).toBe('token-1');
    expect(session.state.current()).toMatchObject({ needsSignIn: false });
  });

  test.each([
    ['a server that is ill', () => new Response('oops', { status: 500 })],
    [
      'a server that is busy',
      () => Response.json({ code: 'over_request_rate_limit', message: 'slow down' }, { status: 429 }),
    ],
    [
      'a captive portal',
      () => new Response('<h1>Free wifi</h1>', { status: 403, headers: { 'content-type': 'text/html' } }),
    ],
  ])('%s keeps it too', async (_what, answer) => {
    server.onRefresh(answer);
    expect(await passTimeout(session.tokensFor(person.userId).refresh())).toBe('network');
    expect((await readDevice(db)).session?.access_token).toBe('token-1');
  });

  test('because the provider ended the session asks to sign in again, and wipes nothing', async () => {
    server.onRefresh(() => server.problem(400, 'refresh_token_not_found', 'Invalid Refresh Token'));
    expect(await session.tokensFor(person.userId).refresh()).toBe('signed-out');
    const ended = await until(session.state, (state) => state.kind === 'signed-in' && state.needsSignIn);
    expect(ended).toEqual({ kind: 'signed-in', person, needsSignIn: true });
    expect(await session.tokensFor(person.userId).accessToken()).toBeNull();
    expect(emptied).toEqual([]);

    await session.signIn('me@example.nz', 'right');
    expect(await until(session.state, signedIn)).toMatchObject({ person });
  });
});

test('a session that the provider ended before its time is dropped too', async () => {
  const session = open();
  await session.signIn('me@example.nz', 'right');
  server.onRefresh(() => server.problem(400, 'session_not_found', 'Session not found'));
  expect(await session.tokensFor(person.userId).refresh()).toBe('signed-out');
  expect((await readDevice(db)).session).toBeUndefined();
});

test('[I13] another person on the same device is another person', async () => {
  const session = open();
  await session.signIn('me@example.nz', 'right');
  await session.signIn('other@example.nz', 'right');
  const state = await until(session.state, (one) => one.kind === 'signed-in' && one.person.userId.startsWith('b2'));
  expect(state).toMatchObject({ needsSignIn: false });
  expect(emptied).toEqual([]);
});

describe('signing up', () => {
  test.each([
    ['session', 'is here at once', () => Response.json(server.session())],
    [
      'confirm',
      'waits for the mailed link',
      () => Response.json({ ...server.session().user, identities: [{ identity_id: 'x' }] }),
    ],
    [
      'taken',
      'where the provider keeps quiet about it',
      () => Response.json({ ...server.session().user, identities: [] }),
    ],
    ['taken', 'where it says so', () => server.problem(422, 'user_already_exists', 'User already registered')],
  ] as const)('%s: %s', async (outcome, _what, answer) => {
    server.onSignUp(answer);
    expect(await open().signUp('new@example.nz', 'secret')).toBe(outcome);
  });
});

describe('[C10] a device that the browser clears under the open app', () => {
  const cleared = (state: SessionState) => state.kind === 'signed-in' && state.needsSignIn;

  test('asks the person to sign in again, and writes nothing of theirs until they do', async () => {
    const session = open();
    await session.signIn('me@example.nz', 'right');
    await until(session.state, signedIn);
    await clearStorage(db);
    expect(await until(session.state, cleared)).toEqual({ kind: 'signed-in', person, needsSignIn: true });
    expect([emptied, await db.entries.count(), await session.tokensFor(person.userId).accessToken()]).toEqual([
      [],
      0,
      null,
    ]);
    await session.signIn('me@example.nz', 'right');
    await until(session.state, signedIn);
    expect((await readDevice(db)).person).toEqual(person);
  });

  test('lets them log out all the same, and their storage is wiped', async () => {
    const session = open();
    await session.signIn('me@example.nz', 'right');
    await until(session.state, signedIn);
    await clearStorage(db);
    await until(session.state, cleared);
    await session.signOut(person.userId);
    expect(await until(session.state, ({ kind }) => kind === 'signed-out')).toEqual({ kind: 'signed-out' });
    expect(emptied).toEqual([person.userId]);
  });
});

describe('[C10] log-out', () => {
  test('wipes the storage, then tells the server, this session only', async () => {
    const session = open();
    await session.signIn('me@example.nz', 'right');
    await createDeviceMark(db, person.userId).write();
    await session.signOut(person.userId);
    expect(emptied).toEqual([person.userId]);
    expect(await db.entries.toArray()).toEqual([]);
    expect(server.calls.at(-1)).toBe('/logout?scope=local');
    await until(session.state, (state) => state.kind === 'signed-out');
  });

  test('works without signal, also before the authentication client could ever be made', async () => {
    await open().signIn('me@example.nz', 'right');
    const cold = open({ openAuth: () => Promise.reject(new Error('no configuration')) });
    await cold.signOut(person.userId);
    expect(emptied).toEqual([person.userId]);
    expect(await db.entries.toArray()).toEqual([]);
  });

  test('that was cut short is finished at the next start', async () => {
    const first = open({ wipeStorage: () => Promise.reject(new Error('killed')) });
    await first.signIn('me@example.nz', 'right');
    await expect(first.signOut(person.userId)).rejects.toThrow('killed');
    first.stop();
    const second = open();
    await second.signIn('other@example.nz', 'right');
    expect(emptied).toEqual([person.userId]);
    expect(await until(second.state, signedIn)).toMatchObject({ person: { email: 'b2b2@example.nz' } });
    expect(await db.entries.where('key').startsWith('leaving').count()).toBe(0);
  });

  test('is finished also where an older app began it', async () => {
    await db.entries.put({ key: 'leaving', value: person.userId });
    await open().signIn('other@example.nz', 'right');
    expect(emptied).toEqual([person.userId]);
    expect(await db.entries.get('leaving')).toBeUndefined();
  });

  test('lets no person in while what was left could not be removed, so that the removal never hits later data', async () => {
    let mayGo = false;
    const session = open({
      wipeStorage: async (userId) => (mayGo ? (emptied.push(userId), 'gone') : Promise.reject(new Error('no'))),
    });
    await session.signIn('me@example.nz', 'right');
    await expect(session.signOut(person.userId)).rejects.toThrow('no');
    await expect(session.signIn('me@example.nz', 'right')).rejects.toThrow('no');
    mayGo = true;
    await session.signIn('me@example.nz', 'right');
    expect(emptied).toEqual([person.userId]);
  });

  test('that another tab held up is finished at the next start, unless its person is back', async () => {
    const first = open({ wipeStorage: async () => 'held' });
    await first.signIn('me@example.nz', 'right');
    await first.signOut(person.userId);
    first.stop();
    const second = open();
    await second.signIn('other@example.nz', 'right');
    expect(emptied).toEqual([person.userId]);

    const third = open({ wipeStorage: async () => 'held' });
    await third.signOut('b2b2b2b2-0000-4000-8000-000000000002');
    await third.signIn('other@example.nz', 'right');
    third.stop();
    emptied = [];
    const fourth = open();
    await fourth.signIn('other@example.nz', 'right');
    expect(emptied).toEqual([]);
  });
});
