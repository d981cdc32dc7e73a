import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeJob, makeTestId, makeUser } from '../../shared/testing/make.ts';
import { openPersonDb, type OutboxEntry, type PersonDb, type RejectedEntry } from '../db/person-db.ts';
import { relieveStorage } from '../sync/relieve-storage.ts';
import { fillStorage } from '../testing/fill-storage.ts';
import { openDeviceHarness } from '../testing/open-device-harness.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { createPhotoEntries } from './keep.ts';
import { keepUploaded } from './kept-photos.ts';
import { createPhotoUploadQueue } from './photo-upload-queue.ts';
import { settlePhotos } from './settle-photos.ts';
import type { UploadRequest, UploadResult } from './upload.ts';

/* Photos that are on their job stay as long as a restore may ask for them again (C16), and where there is space. */

const userId = '0195b000-0000-7000-8000-00000000000a';
const clock = manualClock();
const photo = (size = 8) =>
  must(
    createPhotoEntries(
      [{ bytes: new Uint8Array(size).fill(7).buffer, type: 'image/jpeg', name: 'roof.jpg', isOriginal: false }],
      { jobId: 'job', newId: makeTestId, now: clock.now() },
    )[0],
    'a photo',
  );

let db: PersonDb;
beforeEach(async () => {
  db = openPersonDb(userId);
  await db.users.put(makeUser({ id: userId }));
});
afterEach(() => db.delete());

async function settled() {
  const one = { ...photo(), state: 'uploaded' as const };
  await db.jobs.put(makeJob({ id: 'job', userId, images: [`job-photos/${one.path}`] }));
  await db.photos.put(one);
  return one;
}

test('[C16][I12] a photo that is on its job waits no more, and its bytes are kept', async () => {
  const one = await settled();
  await settlePhotos(db);
  expect(await db.photos.count()).toBe(0);
  const kept = must(await db.keptPhotos.get(one.id), 'kept');
  expect([...new Uint8Array(kept.bytes)]).toEqual([...new Uint8Array(one.bytes)]);
});

test('[C16][C11] where there is no space it is not kept, and leaves all the same', async () => {
  await settled();
  const free = fillStorage();
  await settlePhotos(db);
  free();
  expect([await db.photos.count(), await db.keptPhotos.count()]).toEqual([0, 0]);
});

test('[C16] a photo leaves once 50 MB came after it; over 80 % of the quota none are', async () => {
  const photos = [photo(25_000_000), photo(25_000_000), photo(25_000_000)];
  for (const one of photos) await db.transaction('rw', db.keptPhotos, () => keepUploaded(db, [one]));
  expect(new Set(await db.keptPhotos.toCollection().primaryKeys())).toEqual(
    new Set(photos.slice(1).map(({ id }) => id)),
  );
  const estimate = async () => ({ usage: 81, quota: 100 });
  expect(await relieveStorage(db, { persist: async () => true, estimate })).toBe('relieved');
  expect(await db.keptPhotos.count()).toBe(0);
});

test('[C16] a photo that storage lacks after a restore is uploaded again, once for each restore; one that waits for something else is not', async () => {
  const [lost, other] = [photo(), photo()];
  await db.transaction('rw', db.keptPhotos, () => keepUploaded(db, [lost, other]));
  const attach = (id: string, restoring: string) => ({
    uid: makeTestId(),
    name: 'photo.attach',
    args: { id, jobId: 'job', url: 'job-photos/x' },
    at: '',
    base: [],
    state: 'sent',
    attempts: 1,
    lastError: null,
    restoring,
  });
  await db.outbox.bulkAdd([attach(lost.id, 'file-missing'), attach(other.id, 'not-found')] as unknown as OutboxEntry[]);
  const answers: UploadResult['kind'][] = ['unreachable'];
  const sent: UploadRequest[] = [];
  const uploads = createPhotoUploadQueue({
    db,
    clock,
    random: { next: () => 0.5 },
    upload: async (request) => {
      sent.push(request);
      return { kind: answers.shift() ?? 'up' } as UploadResult;
    },
    refresh: async () => 'network',
    mutate: async () => {
      throw new Error('what attaches it is in the outbox already');
    },
    log: () => undefined,
  });
  for (let round = 0; round < 3; round += 1) {
    uploads.wake();
    await uploads.settled();
  }
  expect(sent.map(({ path }) => path)).toEqual([lost.path, lost.path]);
  expect(sent[1]?.bytes.byteLength).toBe(8);

  // Under the same open page the database is restored once more.
  await db.meta.put({ key: 'timeline', value: 'another' });
  for (let round = 0; round < 2; round += 1) {
    uploads.wake();
    await uploads.settled();
  }
  uploads.stop();
  expect(sent).toHaveLength(3);
});

test('[C16] the person of a photo whose bytes have left their phone is told after a restore at once that it is lost, and not after 72 hours', async () => {
  const harness = await openDeviceHarness();
  const phone = await harness.as(harness.addHomeowner());
  const restore = harness.server.backUp();
  const jobId = makeTestId();
  const job = { title: 'Fix the gate', description: 'It sags.', locationId: 'l', categoryId: 'c' };
  await phone.sync.mutate('job.post', { id: jobId, ...job, urgency: 'soon' });
  const ref = `job-photos/${phone.userId}/${jobId}/1.jpg`;
  const { uid } = await phone.sync.mutate('photo.attach', { id: makeTestId(), jobId, url: ref });
  await harness.sync();
  expect((await phone.db.jobs.get(jobId))?.images).toEqual([ref]);
  harness.server.setFiles(new Map([[ref, null]]));
  restore();
  await harness.sync();
  expect(await phone.db.outbox.toArray()).toMatchObject([{ uid, restoring: 'file-missing' }]);
  const uploads = createPhotoUploadQueue({
    db: phone.db,
    clock,
    random: { next: () => 0.5 },
    upload: async () => ({ kind: 'up' }),
    refresh: async () => 'network',
    mutate: async () => {
      throw new Error('what attaches it is in the outbox already');
    },
    log: () => undefined,
  });
  uploads.wake();
  await uploads.settled();
  uploads.stop();
  await harness.sync();
  expect([await phone.db.outbox.count(), (await phone.db.jobs.get(jobId))?.images]).toEqual([0, []]);
  expect(await phone.db.refused.toArray()).toMatchObject([
    { uid, message: 'Dwang was put back to an earlier copy, and this picture was lost. Choose it again.' },
  ]);
  await harness.close();
});

describe('[C16] a photo that was refused because storage has lost it, as its phone came back long after a restore', () => {
  const rejected = (id: string): RejectedEntry => ({
    uid: makeTestId(),
    seq: 1,
    name: 'photo.attach',
    args: { id, jobId: 'job', url: 'job-photos/x' },
    at: '2026-05-01T00:00:00.000Z',
    status: 'refused',
    code: 'file-missing',
    message: 'The server does not have this picture any more.',
    fields: null,
    refusedAt: '2026-05-05T00:00:00.000Z',
  });

  test('is uploaded again and put on its job by itself, where its bytes are on this phone', async () => {
    const lost = photo();
    await db.jobs.put(makeJob({ id: 'job', userId, images: [] }));
    await db.transaction('rw', db.keptPhotos, () => keepUploaded(db, [lost]));
    await db.refused.put(rejected(lost.id));
    const sent: string[] = [];
    const attached: unknown[] = [];
    const uploads = createPhotoUploadQueue({
      db,
      clock,
      random: { next: () => 0.5 },
      upload: async ({ path, bytes }) => {
        sent.push(`${path} ${bytes.byteLength}`);
        return { kind: 'up' };
      },
      refresh: async () => 'network',
      mutate: async (_name, args) => {
        attached.push(args);
        return { uid: makeTestId() };
      },
      log: () => undefined,
    });
    uploads.wake();
    await uploads.settled();
    uploads.stop();
    expect([sent, attached, await db.refused.count()]).toEqual([
      [`${lost.path} 8`],
      [{ id: lost.id, jobId: 'job', url: `job-photos/${lost.path}` }],
      0,
    ]);
  });

  test('stays, to be chosen again, where its bytes are not', async () => {
    await db.jobs.put(makeJob({ id: 'job', userId, images: [] }));
    await db.refused.put(rejected(makeTestId()));
    await settlePhotos(db);
    expect([await db.refused.count(), await db.photos.count()]).toEqual([1, 0]);
  });

  test('stays where its job is not there: its picture can be saved from there', async () => {
    const lost = photo();
    await db.transaction('rw', db.keptPhotos, () => keepUploaded(db, [lost]));
    await db.refused.put(rejected(lost.id));
    await settlePhotos(db);
    expect([await db.refused.count(), await db.photos.count(), await db.keptPhotos.count()]).toEqual([1, 0, 1]);
  });
});
