import { afterEach, beforeEach, expect, test } from 'vitest';
import { wipeStorage } from '../db/wipe-storage.ts';
import type { PhotoEntry } from '../db/person-db.ts';
import { watchUnsynced } from '../context/watch-unsynced.ts';
import { fakeCaches } from '../pwa/testing/fake-caches.ts';
import { must } from '../../shared/lib/must.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import { openDeviceHarness, type DeviceHarness, type Phone } from '../testing/open-device-harness.ts';
import { postGate } from '../testing/post-gate.ts';
import { systemClock } from '../db/clock.ts';
import { isTheirDevice } from '../session/device-mark.ts';
import { openDeviceDb, type DeviceDb } from '../session/device-db.ts';
import { fakeSharedLocks } from '../testing/fake-shared-locks.ts';
import { createOutboxBackup, isBackupOfAnother, type OutboxBackup } from './outbox-backup.ts';

let harness: DeviceHarness;
let phone: Phone;
let caches: CacheStorage;
let faults: string[];
let device: DeviceDb;
beforeEach(async () => {
  harness = await openDeviceHarness();
  phone = await harness.as(harness.addHomeowner());
  await phone.settle();
  caches = fakeCaches();
  faults = [];
  device = openDeviceDb();
  await device.entries.put({ key: 'person', value: { userId: phone.userId, email: '' } });
});
afterEach(async () => {
  await harness.close();
  await device.delete();
  if (faults.length > 0) throw new Error(faults.join('\n'));
});

const openBackup = (whenIdle: (work: () => void) => void = (work) => work()): OutboxBackup =>
  createOutboxBackup({
    db: phone.db,
    userId: phone.userId,
    caches,
    isHere: () => isTheirDevice(device, phone.userId),
    whenIdle,
    log: (event, detail) => void faults.push(`${event} ${detail}`),
  });

/** Backs up what waits now. */
async function keep(backup: OutboxBackup): Promise<void> {
  const unsynced = watchUnsynced(phone.db);
  const stop = unsynced.subscribe(() => undefined);
  await expect.poll(() => unsynced.current().state).toBe('ready');
  const read = unsynced.current();
  stop();
  if (read.state === 'ready') backup.keep(read.value);
  await backup.stop();
}

/** The browser starts, finds the database damaged and makes a new one. */
async function throwAway(): Promise<void> {
  await phone.kill();
  await phone.db.delete();
  await phone.reopen();
}

/** As if no attempt had been made yet: it may still be cancelled. */
async function takeBack(uid: string): Promise<void> {
  await phone.db.outbox.where('uid').equals(uid).modify({ state: 'new' });
  expect(await phone.sync.cancel(uid)).toMatchObject({ kind: 'cancelled' });
}

const kept = async () =>
  (
    await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).length))
  ).reduce((sum, count) => sum + count, 0);
const titles = async () => (await phone.db.jobs.toArray()).map(({ title }) => title).toSorted();
const photo = (jobId: string): PhotoEntry => ({
  id: makeTestId(),
  jobId,
  path: `${phone.userId}/${jobId}/a.jpg`,
  bytes: new Uint8Array([1, 2, 3]).buffer,
  type: 'image/jpeg',
  name: 'Pōhutukawa “gate”.jpg',
  state: 'uploading',
  attempts: 2,
  error: null,
  addedAt: '2026-01-01T00:00:00.000Z',
});

test('what a deleted database held and the server had not is restored, shown, and applied once', async () => {
  await openBackup().restore();
  harness.goOffline(phone);
  const { uid } = await postGate(phone, 'First');
  await postGate(phone, 'Second');
  const first = must(
    (await phone.db.jobs.toArray()).find(({ title }) => title === 'First'),
    'the job',
  );
  await phone.sync.mutate(
    'job.edit',
    { id: first.id, set: { title: 'First, edited' }, base: { title: 'First' } },
    { photos: [photo(first.id)] },
  );
  await keep(openBackup());

  await throwAway();
  expect(await titles()).toEqual([]);
  expect(await openBackup().restore()).toBe(3);
  expect(await titles()).toEqual(['First, edited', 'Second']);
  expect(await phone.db.photos.toArray()).toStrictEqual([
    { ...photo(first.id), id: expect.any(String), state: 'waiting' },
  ]);
  // It may have been sent since, so it cannot be cancelled any more.
  expect(await phone.sync.cancel(uid)).toEqual({ kind: 'already-sent' });
  expect(await openBackup().restore()).toBe(0);
  harness.goOnline(phone);
  await harness.sync(phone);
  expect(await phone.db.outbox.count()).toBe(0);
  expect([...harness.server.rows.jobs.values()].map(({ title }) => title).toSorted()).toEqual([
    'First, edited',
    'Second',
  ]);
});

test('one entry that cannot be read does not keep the others from being restored', async () => {
  await openBackup().restore();
  harness.goOffline(phone);
  for (const title of ['First', 'Second', 'Third']) await postGate(phone, title);
  const second = must(
    (await phone.db.jobs.toArray()).find(({ title }) => title === 'Second'),
    'the job',
  );
  await phone.sync.mutate(
    'job.edit',
    { id: second.id, set: { title: 'Second, edited' }, base: { title: 'Second' } },
    { photos: [photo(second.id), photo(second.id)] },
  );
  await keep(openBackup());
  const cache = await caches.open(must((await caches.keys())[0], 'the copy'));
  const requests = await cache.keys();
  const [anOutbox, aPhoto] = ['/outbox/', '/photos/'].map((part) =>
    must(
      requests.find(({ url }) => url.includes(part)),
      part,
    ),
  );
  await cache.put(anOutbox!, new Response('{"uid":'));
  await cache.put(aPhoto!, new Response(new ArrayBuffer(3)));

  await throwAway();
  expect(await openBackup().restore()).toBe(3);
  expect(await phone.db.photos.count()).toBe(1);
  expect(faults.splice(0)).toEqual(['spare-entry-unread outbox SyntaxError', 'spare-entry-unread photos SyntaxError']);
  harness.goOnline(phone);
  await harness.sync(phone);
  expect(await phone.db.outbox.count()).toBe(0);
});

test('what the server had applied meanwhile is sent again under its uid, and changes nothing', async () => {
  const backup = openBackup();
  await backup.restore();
  harness.goOffline(phone);
  await postGate(phone, 'First');
  await keep(backup);
  harness.goOnline(phone);
  await harness.sync(phone);
  expect(harness.server.rows.jobs.size).toBe(1);

  await throwAway();
  await harness.sync(phone);
  expect(await openBackup().restore()).toBe(1);
  await harness.sync(phone);
  expect([await phone.db.outbox.count(), await phone.db.refused.count(), harness.server.rows.jobs.size]).toEqual([
    0, 0, 1,
  ]);
  expect(await titles()).toEqual(['First']);
});

test('a rejected change keeps its text', async () => {
  await openBackup().restore();
  await postGate(phone, 'First');
  await harness.sync(phone);
  const job = must((await phone.db.jobs.toArray())[0], 'the job');
  harness.goOffline(phone);
  await phone.sync.mutate('job.edit', { id: job.id, set: { title: 'Edited' }, base: { title: 'First' } });
  harness.server.write(
    (rows) => void rows.jobs.set(job.id, { ...must(rows.jobs.get(job.id), 'the row'), status: 'closed' }),
  );
  harness.goOnline(phone);
  await harness.sync(phone);
  const refused = await phone.db.refused.toArray();
  expect(refused).toMatchObject([{ code: 'job-closed', args: { set: { title: 'Edited' } } }]);
  await keep(openBackup());
  await throwAway();
  expect(await openBackup().restore()).toBe(1);
  expect(await phone.db.refused.toArray()).toEqual(refused);
});

test('what was sent or cancelled leaves the backup; with the last entry the backup is deleted', async () => {
  await openBackup().restore();
  harness.goOffline(phone);
  const { uid } = await postGate(phone, 'First');
  await postGate(phone, 'Second');
  await keep(openBackup());
  expect(await kept()).toBe(2);
  await takeBack(uid);
  await keep(openBackup());
  expect(await kept()).toBe(1);
  harness.goOnline(phone);
  await harness.sync(phone);
  await keep(openBackup());
  expect(await caches.keys()).toEqual([]);
});

test('nothing leaves the backup because of a database that was emptied and not restored yet', async () => {
  await openBackup().restore();
  harness.goOffline(phone);
  await postGate(phone, 'First');
  await keep(openBackup());
  await throwAway();
  await keep(openBackup());
  expect(await kept()).toBe(1);
  expect(await openBackup().restore()).toBe(1);
});

test('a database older than the backup is marked once, and nothing is restored into it', async () => {
  harness.goOffline(phone);
  const { uid } = await postGate(phone, 'First');
  expect(await openBackup().restore()).toBe(0);
  await keep(openBackup());
  await takeBack(uid);
  // Closed before the backup was brought up to date.
  await phone.reopen();
  expect(await openBackup().restore()).toBe(0);
  expect(await phone.db.outbox.count()).toBe(0);
});

test('a full storage leaves no backup: that is logged, and nothing is lost', async () => {
  caches.open = async () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  harness.goOffline(phone);
  await postGate(phone, 'First');
  await keep(openBackup());
  expect(faults.splice(0)).toEqual([expect.stringContaining('spare-unkept')]);
  expect(await phone.db.outbox.count()).toBe(1);
});

test('[I17] at a log-out other people’s backups stay', () => {
  expect([
    isBackupOfAnother('dwang-person-spare-a', 'b'),
    isBackupOfAnother('dwang-person-spare-b', 'b'),
    isBackupOfAnother('dwang-person-photos', 'b'),
  ]).toEqual([true, false, false]);
});

/** As the log-out does it: `leaving` is set, the caches and records are deleted, `leaving` is cleared. */
async function logOutElsewhere(): Promise<void> {
  const { userId } = phone;
  await device.entries.put({ key: `leaving:${userId}`, value: userId });
  await device.entries.delete('person');
  await phone.kill();
  await phone.db.open();
  await wipeStorage({
    isWanted: async () => true,
    db: phone.db,
    clock: systemClock,
    locks: fakeSharedLocks(),
    caches,
    keepsCache: (name) => isBackupOfAnother(name, userId),
  });
  await device.entries.delete(`leaving:${userId}`);
}

/** A tab that has seen a post and froze before it was idle, and how it thaws. */
async function freeze(): Promise<() => Promise<void>> {
  let idle = () => undefined as void;
  const backup = openBackup((work) => (idle = work));
  const entries = await phone.db.outbox.toArray();
  backup.keep({ outbox: entries, refused: [], photos: [] });
  return async () => {
    idle();
    await backup.stop();
  };
}

test('"Log out and lose them": a tab that slept through it does not bring the post back to be sent later', async () => {
  await openBackup().restore();
  harness.goOffline(phone);
  await postGate(phone, 'First');
  const thaw = await freeze();
  await logOutElsewhere();
  await thaw();
  expect(await caches.keys()).toEqual([]);
  await phone.reopen();
  expect(await openBackup().restore()).toBe(0);
});

test('a log-out while the backup is written leaves no backup either', async () => {
  await openBackup().restore();
  harness.goOffline(phone);
  await postGate(phone, 'First');
  const thaw = await freeze();
  const { open } = caches;
  caches.open = async (name) => {
    caches.open = open;
    await logOutElsewhere();
    return open(name);
  };
  await thaw();
  expect(await caches.keys()).toEqual([]);
});

test.each(['leaving', 'emptied'] as const)('while %s is set for them, nothing of theirs is backed up', async (mark) => {
  await openBackup().restore();
  harness.goOffline(phone);
  await postGate(phone, 'First');
  await device.entries.put({ key: `${mark}:${phone.userId}`, value: phone.userId });
  await keep(openBackup());
  expect(await caches.keys()).toEqual([]);
});

test('[I17] the backup of a person who did not log out stays when another is here', async () => {
  await openBackup().restore();
  harness.goOffline(phone);
  await postGate(phone, 'First');
  await keep(openBackup());
  await device.entries.put({ key: 'person', value: { userId: makeTestId(), email: '' } });
  await postGate(phone, 'Second');
  await keep(openBackup());
  expect(await kept()).toBe(1);
});
