import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { watchUnsynced } from '../context/watch-unsynced.ts';
import { postGate } from '../testing/post-gate.ts';
import type { Phone } from '../testing/open-device-harness.ts';
import { openBackupHarness, type BackupHarness } from './testing/open-backup-harness.ts';

/* The records in which the outbox backup keeps what waits. */

let harness: BackupHarness;
let phone: Phone;
let caches: CacheStorage;
beforeEach(async () => {
  harness = await openBackupHarness();
  ({ phone, caches } = harness);
});
afterEach(() => harness.close());

test('a day of writes lists the backup once, and writes each entry once', async () => {
  await harness.openBackup().restore();
  harness.goOffline(phone);
  const calls = { keys: 0, put: 0 };
  const { open } = caches;
  caches.open = async (name) => {
    const cache = await open(name);
    return {
      ...cache,
      keys: async () => ((calls.keys += 1), cache.keys()),
      put: async (request, response) => ((calls.put += 1), cache.put(request, response)),
    };
  };
  const backup = harness.openBackup();
  const unsynced = watchUnsynced(phone.db);
  const stop = unsynced.subscribe(() => {
    const read = unsynced.current();
    if (read.state === 'ready') backup.keep(read.value);
  });
  for (let count = 1; count <= 20; count += 1) {
    await postGate(phone, `Job ${count}`);
    await expect.poll(() => calls.put).toBe(count);
  }
  stop();
  await backup.stop();
  expect(calls).toEqual({ keys: 1, put: 20 });
});

test('one of thirty that wait is sent: the others are neither listed nor walked through', async () => {
  await harness.openBackup().restore();
  harness.goOffline(phone);
  const uids: string[] = [];
  for (let count = 1; count <= 30; count += 1) uids.push((await postGate(phone, `Job ${count}`)).uid);
  const backup = harness.openBackup();
  const waiting = async () => ({ outbox: await phone.db.outbox.toArray(), rejected: [], photos: [] });
  backup.keep(await waiting());
  await expect.poll(() => harness.kept()).toBe(30);
  await harness.takeBack(must(uids[0], 'the first'));
  const left = await waiting();
  // What could not be sent is marked as sent, which reads it.
  await phone.settle();
  const steps = vi.spyOn(IDBCursor.prototype, 'continue');
  const lists = vi.spyOn(IDBObjectStore.prototype, 'getAll');
  backup.keep(left);
  await expect.poll(() => harness.kept()).toBe(29);
  await backup.stop();
  expect([steps.mock.calls.length, lists.mock.calls.length]).toEqual([0, 0]);
});

test('what came together is one record, out of which what was sent or cancelled goes', async () => {
  await harness.openBackup().restore();
  harness.goOffline(phone);
  const uids: string[] = [];
  for (const title of ['First', 'Second', 'Third']) uids.push((await postGate(phone, title)).uid);
  await harness.keep(harness.openBackup());
  const cache = await caches.open(must((await caches.keys())[0], 'the backup'));
  expect(await cache.keys()).toHaveLength(1);
  await harness.takeBack(must(uids[0], 'the first'));
  await harness.keep(harness.openBackup());
  expect([await harness.kept(), await cache.keys()]).toEqual([2, [expect.anything()]]);
  await harness.throwAway();
  expect(await harness.openBackup().restore()).toBe(2);
  expect(await harness.titles()).toEqual(['Second', 'Third']);
});

test('a backup of an earlier version, with a record for each entry, is restored, and emptied as its entries are sent', async () => {
  await harness.openBackup().restore();
  harness.goOffline(phone);
  for (const title of ['First', 'Second']) await postGate(phone, title);
  const cache = await caches.open(must((await caches.keys())[0], 'the backup'));
  for (const entry of await phone.db.outbox.toArray())
    await cache.put(`https://spare.invalid/outbox/${entry.uid}`, new Response(JSON.stringify(entry)));
  await harness.keep(harness.openBackup());
  expect(await cache.keys()).toHaveLength(2);
  await harness.throwAway();
  expect(await harness.openBackup().restore()).toBe(2);
  harness.goOnline(phone);
  await harness.sync(phone);
  await harness.keep(harness.openBackup());
  expect(await harness.kept()).toBe(0);
});

test('a tab that does not lead writes no record: what was cancelled in another would stay in it', async () => {
  await harness.openBackup().restore();
  harness.goOffline(phone);
  harness.leads.current = false;
  const backup = harness.openBackup();
  const waiting = async () => ({ outbox: await phone.db.outbox.toArray(), rejected: [], photos: [] });
  const { uid } = await postGate(phone, 'First');
  backup.keep(await waiting());
  await backup.stop();
  expect(await harness.kept()).toBe(0);
  harness.leads.current = true;
  await harness.keep(harness.openBackup());
  expect(await harness.kept()).toBe(1);
  await harness.takeBack(uid);
  await harness.keep(harness.openBackup());
  expect(await harness.kept()).toBe(0);
});
