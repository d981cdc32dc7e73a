import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeJob } from '../../shared/testing/make.ts';
import { systemClock as clock } from '../db/clock.ts';
import { wipeStorage } from '../db/wipe-storage.ts';
import { openPersonDb } from '../db/person-db.ts';
import { fakeSharedLocks } from '../testing/fake-shared-locks.ts';
import { createDeferred } from '../testing/deferred.ts';
import { createAuthClient } from './auth-client.ts';
import { createAuthStorage, readDevice } from './auth-storage.ts';
import { createSession, type Session, type SessionPorts } from './create-session.ts';
import { openDeviceDb, type DeviceDb } from './device-db.ts';
import { createFakeAuthServer } from './testing/fake-auth-server.ts';

/*
 * A tab that falls asleep in the middle of a log-out, and wakes when its person is back. Storage, session and wiping
 * are the product's.
 */

const aroha = 'a1a1a1a1-0000-4000-8000-000000000001';
let db: DeviceDb;
let server: ReturnType<typeof createFakeAuthServer>;
const sessions: Session[] = [];

beforeEach(() => {
  db = openDeviceDb();
  server = createFakeAuthServer();
});
afterEach(async () => {
  for (const one of sessions.splice(0)) one.stop();
  await db.delete();
  await openPersonDb(aroha).delete();
});

function openTab(emptying: SessionPorts['wipeStorage']): Session {
  const storage = createAuthStorage(db, clock);
  const openAuth = () =>
    createAuthClient({
      config: { supabaseUrl: 'https://auth.example.nz', supabaseAnonKey: 'anon' },
      storage,
      fetch: server.fetch,
      isPage: false,
    });
  const session = createSession({
    db,
    clock,
    storage,
    openAuth,
    wipeStorage: emptying,
    homeUrl: 'https://dwang.example.nz',
    log: () => undefined,
  });
  sessions.push(session);
  return session;
}

const empty: SessionPorts['wipeStorage'] = (userId, isWanted) =>
  wipeStorage({ db: openPersonDb(userId), clock, locks: fakeSharedLocks(), keepsCache: () => true, isWanted });

/** Wipes, once it has slept. */
function asleep(): { emptying: SessionPorts['wipeStorage']; isAsleep: Promise<void>; wake: () => void } {
  const asleepNow = createDeferred<void>();
  const awake = createDeferred<void>();
  const emptying: SessionPorts['wipeStorage'] = async (userId, isWanted) => {
    asleepNow.resolve();
    await awake.promise;
    return empty(userId, isWanted);
  };
  return { emptying, isAsleep: asleepNow.promise, wake: awake.resolve };
}

async function saveJob(): Promise<void> {
  const personDb = openPersonDb(aroha);
  await personDb.jobs.put(makeJob({ userId: aroha }));
  personDb.close();
}

async function countJobs(): Promise<number> {
  const personDb = openPersonDb(aroha);
  const jobs = await personDb.jobs.count();
  personDb.close();
  return jobs;
}

test('[C10] a tab that slept in the middle of a log-out deletes nothing of its person who is back', async () => {
  const sleeper = asleep();
  const first = openTab(sleeper.emptying);
  await first.signIn('me@example.nz', 'right');
  await saveJob();
  const leaving = first.signOut(aroha);
  await sleeper.isAsleep;

  const second = openTab(empty);
  await second.signIn('me@example.nz', 'right');
  expect(await countJobs()).toBe(0);
  await saveJob();
  sleeper.wake();
  await leaving;
  expect(await countJobs()).toBe(1);
  expect((await readDevice(db)).person?.userId).toBe(aroha);
});

test('[C10] a database that another tab held is not marked again once its person is back', async () => {
  const first = openTab(async () => 'held');
  await first.signIn('me@example.nz', 'right');
  await first.signOut(aroha);
  const held = createDeferred<'held'>();
  const begun = createDeferred<void>();
  openTab(() => (begun.resolve(), held.promise));
  await begun.promise;

  // That the database was still held was found before they came back, and is reported after.
  await openTab(async () => 'gone').signIn('me@example.nz', 'right');
  held.resolve('held');
  await expect.poll(() => db.entries.where('key').startsWithAnyOf('leaving', 'emptied:').count()).toBe(0);
  await db.transaction('rw', 'entries', () => db.entries.where('key').equals('person').delete());
  const emptied: string[] = [];
  const next = openTab(async (userId) => (emptied.push(userId), 'gone'));
  await next.signIn('other@example.nz', 'right');
  expect(emptied).toEqual([]);
});
