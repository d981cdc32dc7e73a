import { Dexie } from 'dexie';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDeferred } from '../testing/deferred.ts';
import { createAuthStorage } from './auth-storage.ts';
import { createSession, type Session, type SessionState } from './create-session.ts';
import { openDeviceDb, type DeviceDb } from './device-db.ts';

/* A device whose own database cannot be read, or gives no answer. */

const person = { userId: 'a1a1a1a1-0000-4000-8000-000000000001', email: 'me@example.nz' };
const timers = new Set<() => void>();
const clock = {
  now: () => Date.UTC(2026, 10, 21),
  setTimer: (_ms: number, fire: () => void) => {
    timers.add(fire);
    return () => void timers.delete(fire);
  },
};
let db: DeviceDb;
let session: Session;
beforeEach(async () => {
  db = openDeviceDb();
  await db.open();
});
afterEach(async () => {
  session.stop();
  await db.delete();
});

function open(): void {
  const openAuth = () => Promise.reject(new Error('not asked in these tests'));
  session = createSession({
    db,
    clock,
    storage: createAuthStorage(db, clock),
    openAuth,
    wipeStorage: async () => 'gone',
    homeUrl: 'https://dwang.example.nz',
    log: () => undefined,
  });
}

async function becomes(wanted: SessionState): Promise<void> {
  await expect.poll(() => session.state.current()).toEqual(wanted);
}

test('a device that cannot be read is not a device without a person, and is read again on request', async () => {
  const fail = (): never => {
    throw new DOMException('disk', 'UnknownError');
  };
  db.entries.hook('reading', fail);
  await db.entries.put({ key: 'person', value: person });
  open();
  await becomes({ kind: 'unreadable', isSilent: false });
  session.readAgain();
  expect(session.state.current()).toEqual({ kind: 'starting' });
  await becomes({ kind: 'unreadable', isSilent: false });
  db.entries.hook('reading').unsubscribe(fail);
  session.readAgain();
  await becomes({ kind: 'signed-in', person, needsSignIn: true });
});

test('a device that gives no answer is called silent, and an answer that comes after all still counts', async () => {
  await db.entries.put({ key: 'person', value: person });
  const [begun, answer] = [createDeferred<void>(), createDeferred<void>()];
  const held = db.transaction('rw', 'entries', async () => {
    await db.entries.count();
    begun.resolve();
    await Dexie.waitFor(answer.promise, 60_000);
  });
  await begun.promise;
  open();
  for (const fire of timers) fire();
  expect(session.state.current()).toEqual({ kind: 'unreadable', isSilent: true });
  answer.resolve();
  await held;
  await becomes({ kind: 'signed-in', person, needsSignIn: true });
});
