import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clearStorage } from '../testing/clear-storage.ts';
import { createAuthClient } from './auth-client.ts';
import { createAuthStorage, readDevice, storageKey } from './auth-storage.ts';
import type { Session, SessionState } from './create-session.ts';
import { openSessionHarness, person, signedIn, until, type SessionHarness } from './testing/open-session-harness.ts';

let harness: SessionHarness;
beforeEach(async () => {
  harness = await openSessionHarness();
});
afterEach(() => harness.close());

const known = (state: SessionState) => state.kind !== 'starting';

test('a client that cannot be made is logged at every attempt, and the session stays as it was [§8]', async () => {
  const logged: string[] = [];
  const session = harness.open({
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

test('a new device has no person [§4 start-up]', async () => {
  expect(await until(harness.open().state, known)).toEqual({ kind: 'signed-out' });
});

test('signing in is known at once in every tab, and after a start without signal [§3, §4 start-up, §7]', async () => {
  const [tab, other] = [harness.open(), harness.open()];
  await tab.signIn('me@example.nz', 'right');
  expect(await until(tab.state, signedIn)).toEqual({ kind: 'signed-in', person, needsSignIn: false });
  await until(other.state, signedIn);

  const cold = harness.open({ openAuth: () => Promise.reject(new Error('no configuration')) });
  expect(await until(cold.state, known)).toMatchObject({ kind: 'signed-in', person });
  expect(await cold.tokensFor(person.userId).accessToken()).toBe('token-1');
  expect(await cold.sessionUser()).toEqual({ id: person.userId, email: 'a1a1@example.nz' });
});

test('a wrong password is told in the provider’s own words [§1]', async () => {
  await expect(harness.open().signIn('me@example.nz', 'wrong')).rejects.toThrow('Invalid login credentials');
});

test('a token lives as long as the server says, by this device’s own clock', async () => {
  const session = harness.open();
  await session.signIn('me@example.nz', 'right');
  harness.state.now += 3_500_000;
  expect(await session.tokensFor(person.userId).accessToken()).toBe('token-1');
  harness.state.now += 60_000;
  expect(await session.tokensFor(person.userId).accessToken()).toBe('token-2');
  harness.state.now -= 365 * 86_400_000;
  expect(await session.tokensFor(person.userId).accessToken()).toBe('token-3');
});

test('a page looks after its session every 30 s and renews it within the last 90 [§9]', async () => {
  const ticks = vi.spyOn(globalThis, 'setInterval');
  const storage = createAuthStorage(harness.db, { ...harness.clock, now: () => Date.now() });
  const config = { supabaseUrl: 'https://auth.example.nz', supabaseAnonKey: 'anon' };
  const client = await createAuthClient({ config, storage, fetch: harness.server.fetch, isPage: true });
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
      storage.setItem(storageKey, JSON.stringify({ ...harness.server.session(), expires_in: leftSeconds })),
    );
    await client.getSession();
    expect(harness.server.calls.filter((call) => call.includes('grant_type=refresh_token'))).toHaveLength(renewals);
  }
});

describe('[C10] a renewal that fails', () => {
  let session: Session;
  beforeEach(async () => {
    session = harness.open();
    await session.signIn('me@example.nz', 'right');
    await until(session.state, signedIn);
    harness.state.now += 4_000_000;
  });
  /** Waits until the client gives up on the provider. */
  const passTimeout = async <T>(work: Promise<T>): Promise<T> => {
    const isDone = work.then(() => true);
    while (!(await Promise.race([isDone, new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 5))]))) {
      for (const fire of Array.from(harness.timers)) fire();
    }
    return work;
  };

  test('without signal keeps session and person', async () => {
    harness.state.isOnline = false;
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
    harness.server.onRefresh(answer);
    expect(await passTimeout(session.tokensFor(person.userId).refresh())).toBe('network');
    expect((await readDevice(harness.db)).session?.access_token).toBe('token-1');
  });

  test('because the provider ended the session asks to sign in again, and wipes nothing [§4 start-up]', async () => {
    harness.server.onRefresh(() => harness.server.problem(400, 'refresh_token_not_found', 'Invalid Refresh Token'));
    expect(await session.tokensFor(person.userId).refresh()).toBe('signed-out');
    const ended = await until(session.state, (state) => state.kind === 'signed-in' && state.needsSignIn);
    expect(ended).toEqual({ kind: 'signed-in', person, needsSignIn: true });
    expect(await session.tokensFor(person.userId).accessToken()).toBeNull();
    expect(harness.state.wiped).toEqual([]);

    await session.signIn('me@example.nz', 'right');
    expect(await until(session.state, signedIn)).toMatchObject({ person });
  });
});

test('a session that the provider ended before its time is dropped too', async () => {
  const session = harness.open();
  await session.signIn('me@example.nz', 'right');
  harness.server.onRefresh(() => harness.server.problem(400, 'session_not_found', 'Session not found'));
  expect(await session.tokensFor(person.userId).refresh()).toBe('signed-out');
  expect((await readDevice(harness.db)).session).toBeUndefined();
});

test('[I13] another person on the same device is another person', async () => {
  const session = harness.open();
  await session.signIn('me@example.nz', 'right');
  await session.signIn('other@example.nz', 'right');
  const state = await until(session.state, (one) => one.kind === 'signed-in' && one.person.userId.startsWith('b2'));
  expect(state).toMatchObject({ needsSignIn: false });
  expect(harness.state.wiped).toEqual([]);
});

describe('signing up', () => {
  test.each([
    ['session', 'is here at once', () => Response.json(harness.server.session())],
    [
      'confirm',
      'waits for the mailed link',
      () => Response.json({ ...harness.server.session().user, identities: [{ identity_id: 'x' }] }),
    ],
    [
      'taken',
      'where the provider keeps quiet about it',
      () => Response.json({ ...harness.server.session().user, identities: [] }),
    ],
    ['taken', 'where it says so', () => harness.server.problem(422, 'user_already_exists', 'User already registered')],
  ] as const)('%s: %s', async (outcome, _what, answer) => {
    harness.server.onSignUp(answer);
    expect(await harness.open().signUp('new@example.nz', 'secret')).toBe(outcome);
  });
});

describe('[C10] a device that the browser clears under the open app', () => {
  const cleared = (state: SessionState) => state.kind === 'signed-in' && state.needsSignIn;

  test('asks the person to sign in again, and writes nothing of theirs until they do', async () => {
    const session = harness.open();
    await session.signIn('me@example.nz', 'right');
    await until(session.state, signedIn);
    await clearStorage(harness.db);
    expect(await until(session.state, cleared)).toEqual({ kind: 'signed-in', person, needsSignIn: true });
    expect([
      harness.state.wiped,
      await harness.db.entries.count(),
      await session.tokensFor(person.userId).accessToken(),
    ]).toEqual([[], 0, null]);
    await session.signIn('me@example.nz', 'right');
    await until(session.state, signedIn);
    expect((await readDevice(harness.db)).person).toEqual(person);
  });

  test('lets them log out all the same, and their storage is wiped', async () => {
    const session = harness.open();
    await session.signIn('me@example.nz', 'right');
    await until(session.state, signedIn);
    await clearStorage(harness.db);
    await until(session.state, cleared);
    await session.signOut(person.userId);
    expect(await until(session.state, ({ kind }) => kind === 'signed-out')).toEqual({ kind: 'signed-out' });
    expect(harness.state.wiped).toEqual([person.userId]);
  });
});
