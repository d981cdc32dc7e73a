import { Dexie } from 'dexie';
import { expect, test } from 'vitest';
import { makeJob, makeTestId } from '../../shared/testing/make.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import { openPersonDb, type PhotoEntry, type RejectedEntry } from '../db/person-db.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { mutate } from './mutate.ts';
import { cancel, discard, retryRejected, unsentOf } from './outbox.ts';

const photo = (jobId: string, state: PhotoEntry['state']): PhotoEntry => ({
  id: makeTestId(),
  jobId,
  path: 'p',
  bytes: new ArrayBuffer(1),
  type: 'image/jpeg',
  name: 'n',
  state,
  attempts: 0,
  error: null,
  addedAt: '',
});
const refused = (name: RejectedEntry['name'], args: unknown): RejectedEntry => ({
  uid: makeTestId(),
  seq: 1,
  name,
  args,
  at: '',
  status: 'refused',
  code: 'invalid',
  message: 'No.',
  fields: null,
  refusedAt: '',
});

test('discarding a job that the server never applied deletes its photos; discarding anything else touches no photo', async () => {
  const db = openPersonDb(makeTestId());
  const [job, url] = [makeTestId(), 'https://photos.example.nz/a/b/c.jpg'];
  const [posted, attached] = [
    refused('job.post', { id: job }),
    refused('photo.attach', { id: makeTestId(), jobId: job, url }),
  ];
  await db.photos.bulkAdd([photo(job, 'waiting'), photo(makeTestId(), 'waiting')]);
  await db.refused.bulkAdd([posted, attached]);
  await discard(db, attached.uid);
  expect([await db.refused.count(), await db.photos.count()]).toEqual([1, 2]);
  await discard(db, posted.uid);
  expect([await db.refused.count(), await db.photos.count()]).toEqual([0, 1]);
});

test('C10: unsent counts photos whose bytes are only here', async () => {
  const db = openPersonDb(makeTestId());
  await db.photos.bulkAdd((['waiting', 'failed', 'uploaded'] as const).map((state) => photo('j', state)));
  expect(await unsentOf(db)).toEqual({ mutations: [], photos: 2 });
});

function openDevice() {
  const userId = makeTestId();
  return {
    db: openPersonDb(userId),
    userId,
    clock: manualClock(),
    random: seededRandom(7),
    collections: { find: async () => undefined },
  };
}
const post = (id: string) => ({
  id,
  title: 'T',
  description: 'D',
  locationId: 'l',
  urgency: 'soon' as const,
  categoryId: 'c',
});
const edit = (id: string, title: string) => ({ id, set: { title }, base: { title: 'T' } });

test('C7: cancelling an edit cancels nothing else: not the edit before nor after it, and no photo', async () => {
  const device = openDevice();
  const { db } = device;
  const job = makeJob({ userId: device.userId, title: 'T' });
  await db.jobs.add(job);
  await db.photos.add(photo(job.id, 'waiting'));
  const first = await mutate(device, 'job.edit', {
    id: job.id,
    set: { urgency: 'urgent' },
    base: { urgency: job.urgency },
  });
  const { uid } = await mutate(device, 'job.edit', edit(job.id, 'Taken back'));
  const last = await mutate(device, 'job.edit', {
    id: job.id,
    set: { description: 'Mine' },
    base: { description: job.description },
  });
  const posted = await mutate(device, 'job.post', post(makeTestId()));
  expect(await cancel(device, uid)).toEqual({ kind: 'cancelled', uids: [uid] });
  expect((await db.outbox.orderBy('seq').toArray()).map((entry) => entry.uid)).toEqual([
    first.uid,
    last.uid,
    posted.uid,
  ]);
  expect(await db.jobs.get(job.id)).toMatchObject({ title: 'T', urgency: 'urgent', description: 'Mine' });
  expect(await db.photos.count()).toBe(1);
});

test('C7: cancelling a job cancels its own edits and photos as well, and no other’s', async () => {
  const device = openDevice();
  const { db } = device;
  const [id, other] = [makeTestId(), makeTestId()];
  await db.photos.bulkAdd([photo(id, 'waiting'), photo(other, 'waiting')]);
  await mutate(device, 'job.post', post(other));
  const { uid } = await mutate(device, 'job.post', post(id));
  const { uid: edited } = await mutate(device, 'job.edit', edit(id, 'Mine'));
  await mutate(device, 'job.edit', edit(other, 'Theirs'));
  await mutate(device, 'job.post', { ...post(makeTestId()), title: 'Later' });
  expect(await cancel(device, uid)).toEqual({ kind: 'cancelled', uids: [uid, edited] });
  expect((await db.outbox.orderBy('seq').toArray()).map(({ name }) => name)).toEqual([
    'job.post',
    'job.edit',
    'job.post',
  ]);
  expect((await db.jobs.toArray()).map(({ title }) => title).toSorted()).toEqual(['Later', 'Theirs']);
  expect((await db.photos.toArray()).map(({ jobId }) => jobId)).toEqual([other]);
});

test('discarding a rejected post of a job that exists deletes nothing else; an entry that is gone is neither sent again nor discarded', async () => {
  const device = openDevice();
  const { db } = device;
  const job = makeJob({ userId: device.userId });
  await db.jobs.add(job);
  await db.photos.add(photo(job.id, 'waiting'));
  // A post that was rejected because of its uid: the job itself is in the private tables.
  const entry = refused('job.post', post(job.id));
  await db.refused.add(entry);
  await discard(db, entry.uid);
  await discard(db, entry.uid);
  expect([await db.refused.count(), await db.photos.count()]).toEqual([0, 1]);
  expect(await retryRejected(device, entry.uid)).toBeUndefined();
  expect(await db.outbox.count()).toBe(0);
});

test('C10: unsent mutations are named in the order they were made', async () => {
  const device = openDevice();
  const ids = [makeTestId(), makeTestId(), makeTestId()];
  for (const id of ids) await mutate(device, 'job.post', post(id));
  expect((await unsentOf(device.db)).mutations.map(({ args }) => (args as { id: string }).id)).toEqual(ids);
});

test('C10: a photo that is handed over between the two reads is not missed before log-out', async () => {
  const db = openPersonDb(makeTestId());
  const [jobId, uid] = [makeTestId(), makeTestId()];
  const taken = photo(jobId, 'uploading');
  // As the upload queue does when the bucket has the bytes.
  const handOver = () =>
    db.transaction('rw', ['outbox', 'photos'], async () => {
      await db.photos.update(taken.id, { state: 'uploaded' });
      await db.outbox.add({ uid, name: 'photo.attach', args: { jobId }, at: '', state: 'new' } as never);
    });
  let handedOver: PromiseLike<void> | undefined;
  db.use({
    stack: 'dbcore',
    name: 'hands-over-between-reads',
    create: (core) => ({
      ...core,
      table: (name) => {
        const table = core.table(name);
        if (name !== 'outbox') return table;
        return {
          ...table,
          query: async (request) => {
            const found = await table.query(request);
            handedOver ??= Dexie.ignoreTransaction(handOver);
            // Goes on reading until the writing transaction waits for this one to end.
            while (db.underWay.size < 2) await table.query(request);
            return found;
          },
        };
      },
    }),
  });
  await db.photos.add(taken);
  const { mutations, photos } = await unsentOf(db);
  await handedOver;
  expect(await db.outbox.count()).toBe(1);
  expect(mutations.length + photos).toBe(1);
});
