import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../db/clock.ts';
import { createAuthStorage, forgetPerson, storageKey } from './auth-storage.ts';
import { openDeviceDb, type DeviceDb } from './device-db.ts';
import { forgetScreens, keepScreen, readKeptScreen, type KeptScreen } from './kept-screens.ts';

/* The page that is shown while the app starts: its person's alone, and no longer than their right to it. */

let db: DeviceDb;
beforeEach(async () => {
  db = openDeviceDb();
  await db.entries.put({ key: 'person', value: { userId: 'hana', email: 'hana@example.nz' } });
});
afterEach(() => db.delete());

const screen: KeptScreen = {
  userId: 'hana',
  search: '?trade=3',
  build: '/assets/index-1.js',
  title: 'Find Jobs · Dwang',
  styles: [],
  width: 390,
  until: 1_000,
  html: '<main>Jobs</main>',
};
const keep = (changes: Partial<KeptScreen> = {}) => keepScreen(db, '/find-jobs', { ...screen, ...changes });
const read = async (search = '', now = 0, pathname = '/find-jobs') =>
  (await readKeptScreen(db, { pathname, search }, now))?.html;

test('is shown at its address, and at the one without filters, which leads to the last ones', async () => {
  await keep();
  expect(await read('?trade=3')).toBe(screen.html);
  expect(await read('')).toBe(screen.html);
  expect(await read('?trade=4')).toBeUndefined();
  expect(await read('', 0, '/dashboard')).toBeUndefined();
});

test('is shown until the subscription ends, also without signal', async () => {
  await keep();
  expect(await read('', 999)).toBe(screen.html);
  expect(await read('', 1_000)).toBeUndefined();
  await keep({ until: null });
  expect(await read('', 1_000)).toBe(screen.html);
});

test('[I13] is not kept for a person who has left meanwhile, and not shown to another', async () => {
  await keep({ userId: 'wiremu' });
  expect(await db.entries.get('screen:/find-jobs')).toBeUndefined();
  await keep();
  await db.entries.put({ key: 'person', value: { userId: 'wiremu', email: 'wiremu@example.nz' } });
  expect(await read()).toBeUndefined();
});

const session = (userId: string) =>
  JSON.stringify({
    access_token: `token-of-${userId}`,
    refresh_token: 'refresh',
    expires_in: 3_600,
    expires_at: 3_600,
    user: { id: userId, email: `${userId}@example.nz` },
  });

test('[I13] goes with its person, in the transaction in which they log out or another one comes', async () => {
  await keep();
  await forgetPerson(db, 'hana');
  expect(await db.entries.get('screen:/find-jobs')).toBeUndefined();

  await db.entries.put({ key: 'person', value: { userId: 'hana', email: 'hana@example.nz' } });
  await keep();
  const storage = createAuthStorage(db, systemClock);
  await storage.signingIn(() => storage.setItem(storageKey, session('wiremu')));
  expect(await db.entries.get('screen:/find-jobs')).toBeUndefined();
});

test('stays while the same person’s session is renewed', async () => {
  await keep();
  await createAuthStorage(db, systemClock).setItem(storageKey, session('hana'));
  expect(await read()).toBe(screen.html);
});

test('goes where it is not true any more', async () => {
  await keep();
  await keepScreen(db, '/find-jobs', undefined);
  expect(await read()).toBeUndefined();
});

test('goes where the right to it has ended', async () => {
  await keep();
  await forgetScreens(db);
  expect(await read()).toBeUndefined();
  expect((await db.entries.get('person'))?.value).toMatchObject({ userId: 'hana' });
});
