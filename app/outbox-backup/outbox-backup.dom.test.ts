import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PhotoEntry } from '../db/person-db.ts';
import { must } from '../../shared/lib/must.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import type { Phone } from '../testing/open-device-harness.ts';
import { postGate } from '../testing/post-gate.ts';
import { hasOutboxBackup } from './outbox-backup.ts';
import { openBackupHarness, type BackupHarness } from './testing/open-backup-harness.ts';

let harness: BackupHarness;
let phone: Phone;
let caches: CacheStorage;
beforeEach(async () => {
  harness = await openBackupHarness();
  ({ phone, caches } = harness);
});
afterEach(() => harness.close());

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
  await harness.openBackup().restore();
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
  await harness.keep(harness.openBackup());

  await harness.throwAway();
  expect(await harness.titles()).toEqual([]);
  expect(await harness.openBackup().restore()).toBe(3);
  expect(await harness.titles()).toEqual(['First, edited', 'Second']);
  expect(await phone.db.photos.toArray()).toStrictEqual([
    { ...photo(first.id), id: expect.any(String), state: 'waiting' },
  ]);
  // It may have been sent since, so it cannot be cancelled any more.
  expect(await phone.sync.cancel(uid)).toEqual({ kind: 'already-sent' });
  expect(await harness.openBackup().restore()).toBe(0);
  harness.goOnline(phone);
  await harness.sync(phone);
  expect(await phone.db.outbox.count()).toBe(0);
  expect([...harness.server.rows.jobs.values()].map(({ title }) => title).toSorted()).toEqual([
    'First, edited',
    'Second',
  ]);
});

test('one record that cannot be read does not keep the others from being restored', async () => {
  await harness.openBackup().restore();
  harness.goOffline(phone);
  for (const title of ['First', 'Second', 'Third']) {
    await postGate(phone, title);
    await harness.keep(harness.openBackup());
  }
  const second = must(
    (await phone.db.jobs.toArray()).find(({ title }) => title === 'Second'),
    'the job',
  );
  await phone.sync.mutate(
    'job.edit',
    { id: second.id, set: { title: 'Second, edited' }, base: { title: 'Second' } },
    { photos: [photo(second.id), photo(second.id)] },
  );
  await harness.keep(harness.openBackup());
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

  await harness.throwAway();
  expect(await harness.openBackup().restore()).toBe(3);
  expect(await phone.db.photos.count()).toBe(1);
  expect(harness.errors.splice(0)).toEqual([
    'spare-entry-unread outbox SyntaxError',
    'spare-entry-unread photos SyntaxError',
  ]);
  harness.goOnline(phone);
  await harness.sync(phone);
  expect(await phone.db.outbox.count()).toBe(0);
});

test('what the server had applied meanwhile is sent again under its uid, and changes nothing', async () => {
  const backup = harness.openBackup();
  await backup.restore();
  harness.goOffline(phone);
  await postGate(phone, 'First');
  await harness.keep(backup);
  harness.goOnline(phone);
  await harness.sync(phone);
  expect(harness.server.rows.jobs.size).toBe(1);

  await harness.throwAway();
  await harness.sync(phone);
  expect(await harness.openBackup().restore()).toBe(1);
  await harness.sync(phone);
  expect([await phone.db.outbox.count(), await phone.db.refused.count(), harness.server.rows.jobs.size]).toEqual([
    0, 0, 1,
  ]);
  expect(await harness.titles()).toEqual(['First']);
});

test('a rejected change keeps its text', async () => {
  await harness.openBackup().restore();
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
  await harness.keep(harness.openBackup());
  await harness.throwAway();
  expect(await harness.openBackup().restore()).toBe(1);
  expect(await phone.db.refused.toArray()).toEqual(refused);
});

test('what was sent or cancelled leaves the backup; with the last entry the backup is empty', async () => {
  await harness.openBackup().restore();
  harness.goOffline(phone);
  const { uid } = await postGate(phone, 'First');
  await postGate(phone, 'Second');
  await harness.keep(harness.openBackup());
  expect(await harness.kept()).toBe(2);
  await harness.takeBack(uid);
  await harness.keep(harness.openBackup());
  expect(await harness.kept()).toBe(1);
  harness.goOnline(phone);
  await harness.sync(phone);
  await harness.keep(harness.openBackup());
  expect(await harness.kept()).toBe(0);
  expect(await hasOutboxBackup(caches)).toBe(false);
});

test('no cache is made or deleted from the first thing that waits on: WebKit writes its list of caches then, and a kill would tear it', async () => {
  const made: string[] = [];
  const { open, has } = caches;
  caches.open = async (name) => {
    if (!(await has(name))) made.push(name);
    return open(name);
  };
  caches.delete = async (name) => made.push(`${name} deleted`) > 0;
  await harness.openBackup().restore();
  expect(made).toHaveLength(1);
  harness.goOffline(phone);
  await postGate(phone, 'First');
  await harness.keep(harness.openBackup());
  expect(await harness.kept()).toBe(1);
  harness.goOnline(phone);
  await harness.sync(phone);
  await harness.keep(harness.openBackup());
  expect(await harness.kept()).toBe(0);
  expect(made).toHaveLength(1);
});

test('a backup with nothing in it is no sign of a person whom the browser has lost', async () => {
  await harness.openBackup().restore();
  expect(await hasOutboxBackup(caches)).toBe(false);
  harness.goOffline(phone);
  await postGate(phone, 'First');
  await harness.keep(harness.openBackup());
  expect(await hasOutboxBackup(caches)).toBe(true);
});

test('a photo that waits again is backed up again, though another tab took it out meanwhile', async () => {
  await harness.openBackup().restore();
  harness.goOffline(phone);
  const backup = harness.openBackup();
  const waiting = { outbox: [], rejected: [], photos: [photo(makeTestId())] };
  await phone.db.photos.bulkPut(waiting.photos);
  backup.keep(waiting);
  await expect.poll(() => harness.kept()).toBe(1);
  const [name] = await caches.keys();
  const cache = await caches.open(must(name, 'the backup'));
  await cache.delete(must((await cache.keys())[0], 'the photo'));
  backup.keep(waiting);
  await expect.poll(() => harness.kept()).toBe(1);
  await backup.stop();
});

test('nothing leaves the backup because of a database that was emptied and not restored yet', async () => {
  await harness.openBackup().restore();
  harness.goOffline(phone);
  await postGate(phone, 'First');
  await harness.keep(harness.openBackup());
  const cache = await caches.open(must((await caches.keys())[0], 'the backup'));
  const unreadable = 'https://spare.invalid/outbox/unreadable';
  await cache.put(unreadable, new Response('{"uid":'));
  await harness.throwAway();
  await harness.keep(harness.openBackup());
  expect(await cache.keys()).toHaveLength(2);
  await cache.delete(unreadable);
  expect(await harness.openBackup().restore()).toBe(1);
  expect(harness.errors.splice(0)).toEqual(['spare-entry-unread outbox SyntaxError']);
});

test('a database older than the backup is marked once, and nothing is restored into it', async () => {
  harness.goOffline(phone);
  const { uid } = await postGate(phone, 'First');
  expect(await harness.openBackup().restore()).toBe(0);
  await harness.keep(harness.openBackup());
  await harness.takeBack(uid);
  // Closed before the backup was brought up to date.
  await phone.reopen();
  expect(await harness.openBackup().restore()).toBe(0);
  expect(await phone.db.outbox.count()).toBe(0);
});

test('a full storage leaves no backup: that is logged, and nothing is lost', async () => {
  caches.open = async () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  harness.goOffline(phone);
  await postGate(phone, 'First');
  await harness.keep(harness.openBackup());
  expect(harness.errors.splice(0)).toEqual([expect.stringContaining('spare-unkept')]);
  expect(await phone.db.outbox.count()).toBe(1);
});
