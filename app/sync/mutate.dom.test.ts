import { expect, test } from 'vitest';
import type { DBCoreMutateRequest, Middleware, DBCore } from 'dexie';
import { Rejection } from '../../shared/mutations/rejection.ts';
import { makeJob, makeTestId, makeTradie, makeUser } from '../../shared/testing/make.ts';
import { openPersonDb, type PersonDb, type PhotoEntry } from '../db/person-db.ts';
import { StorageFull } from '../db/storage-errors.ts';
import { writeSetStores } from './dexie-tx.ts';
import { makeMutatePorts, makePost, now } from '../testing/make-mutate-ports.ts';
import { mutate } from './mutate.ts';
import { replayOutbox } from './replay.ts';
import { readServerRows } from './server-rows.ts';

/** Lets a write to `store` succeed, then does `then` with the native transaction. */
function afterWrite(db: PersonDb, store: string, then: (transaction: IDBTransaction) => void): void {
  const middleware: Middleware<DBCore> = {
    stack: 'dbcore',
    create: (core) => ({
      ...core,
      table: (name) => {
        const table = core.table(name);
        if (name !== store) return table;
        return {
          ...table,
          mutate: async (request: DBCoreMutateRequest) => {
            const result = await table.mutate(request);
            then(request.trans as IDBTransaction);
            return result;
          },
        };
      },
    }),
  };
  db.use(middleware);
}

test('C1: the effect, its server row, the outbox row and its photos are written together', async () => {
  const device = makeMutatePorts();
  const [id, photoId] = [makeTestId(), makeTestId()];
  const photo: PhotoEntry = {
    id: photoId,
    jobId: id,
    path: 'p',
    bytes: new ArrayBuffer(3),
    type: 'image/jpeg',
    name: 'gate.jpg',
    state: 'waiting',
    attempts: 0,
    error: null,
    addedAt: new Date(now).toISOString(),
  };
  const drafts = ['post-job', 'post-job/photo/1', 'post-job/like/2/photo/3'];
  await device.db.drafts.bulkAdd(drafts.map((key) => ({ key, value: {}, savedAt: '' })));
  const { uid } = await mutate(device, 'job.post', makePost(id), { photos: [photo], dropDraft: 'post-job' });
  expect(await device.db.jobs.get(id)).toMatchObject({ title: 'Fix the gate', userId: device.userId });
  expect(await device.db.shadow.get(['jobs', id])).toMatchObject({ row: null });
  expect(await device.db.outbox.toArray()).toEqual([
    expect.objectContaining({
      uid,
      name: 'job.post',
      args: makePost(id),
      state: 'new',
      attempts: 0,
      at: new Date(now).toISOString(),
    }),
  ]);
  expect(await device.db.photos.count()).toBe(1);
  // A page that is left now must not show its photos in the next job’s form.
  expect(await device.db.drafts.toCollection().primaryKeys()).toEqual(['post-job/like/2/photo/3']);
});

test('C1: "saved" is said at transaction complete: a transaction that fails after its last request succeeded is not saved', async () => {
  const device = makeMutatePorts();
  let requestSucceeded = false;
  afterWrite(device.db, 'outbox', (transaction) => {
    requestSucceeded = true;
    transaction.abort();
  });
  await expect(mutate(device, 'job.post', makePost(makeTestId()))).rejects.toThrow();
  expect(requestSucceeded).toBe(true);
  expect(await device.db.jobs.count()).toBe(0);
  expect(await device.db.outbox.count()).toBe(0);
});

test('a rejection found on the device goes to the form, and nothing is queued', async () => {
  const device = makeMutatePorts();
  await expect(mutate(device, 'job.post', { ...makePost(makeTestId()), title: '' })).rejects.toBeInstanceOf(Rejection);
  await expect(mutate(device, 'job.close', { id: makeTestId() })).rejects.toMatchObject({ code: 'not-found' });
  expect(await device.db.outbox.count()).toBe(0);
});

test('C4: a full device fails loudly, also where the browser tells it as an aborted transaction', async () => {
  const device = makeMutatePorts();
  afterWrite(device.db, 'outbox', () => {
    const abort = new DOMException('Transaction aborted', 'AbortError');
    throw Object.assign(new Error('AbortError'), {
      name: 'AbortError',
      inner: Object.assign(abort, { inner: new DOMException('Full', 'QuotaExceededError') }),
    });
  });
  await expect(mutate(device, 'job.post', makePost(makeTestId()))).rejects.toBeInstanceOf(StorageFull);
  expect(await device.db.jobs.count()).toBe(0);
});

test('companion writes are part of the transaction: photos added, changed and deleted, the draft, the rejected entry it replaces', async () => {
  const device = makeMutatePorts();
  const { db } = device;
  const photo = (id: string): PhotoEntry => ({
    id,
    jobId: 'j',
    path: 'p',
    bytes: new ArrayBuffer(1),
    type: 'image/jpeg',
    name: 'n',
    state: 'failed',
    attempts: 3,
    error: 'No.',
    addedAt: '',
  });
  const refused = (uid: string) => ({
    uid,
    seq: 1,
    name: 'job.post' as const,
    args: {},
    at: '',
    status: 'refused' as const,
    code: 'invalid',
    message: '',
    fields: null,
    refusedAt: '',
  });
  await db.photos.bulkAdd(['moved', 'dropped', 'left'].map(photo));
  await db.drafts.bulkAdd(['post-job', 'edit-1', 'other'].map((key) => ({ key, value: 'old', savedAt: '' })));
  await db.refused.bulkAdd([refused('replaced'), refused('kept')]);
  await mutate(device, 'job.post', makePost(makeTestId()), {
    photos: [photo('new')],
    changePhotos: [{ id: 'moved', changes: { state: 'waiting', error: null } }],
    dropPhotos: ['dropped'],
    dropDraft: 'post-job',
    changeDraft: { key: 'edit-1', value: 'new' },
    dropRejected: 'replaced',
  });
  expect((await db.photos.orderBy('id').toArray()).map(({ id, state, error }) => [id, state, error])).toEqual([
    ['left', 'failed', 'No.'],
    ['moved', 'waiting', null],
    ['new', 'failed', 'No.'],
  ]);
  expect((await db.drafts.orderBy('key').toArray()).map(({ key, value }) => [key, value])).toEqual([
    ['edit-1', 'new'],
    ['other', 'old'],
  ]);
  expect(await db.refused.toCollection().primaryKeys()).toEqual(['kept']);
  // Without companion writes nothing is deleted.
  await mutate(device, 'job.post', makePost(makeTestId()));
  expect([await db.photos.count(), await db.drafts.count(), await db.refused.count()]).toEqual([3, 2, 1]);
});

test('interest in a job that is only in the feed adopts it, and keeps what it read for a replay without the feed', async () => {
  const userId = makeTestId();
  const tradie = makeTradie({ userId });
  const job = makeJob({ userId: null, interestCount: 2 });
  const device = makeMutatePorts({
    userId,
    db: openPersonDb(userId),
    collections: { find: async (_table, id) => (id === job.id ? job : undefined) },
  });
  await device.db.users.add(makeUser({ id: userId, tradieId: tradie.id, subscriptionStatus: 'active' }));
  await mutate(device, 'interest.express', { id: makeTestId(), jobId: job.id });
  expect(await device.db.jobs.get(job.id)).toEqual({ ...job, interestCount: 3 });
  expect(await device.db.outbox.toArray()).toEqual([expect.objectContaining({ base: [{ table: 'jobs', row: job }] })]);
});

test('only rows of a collection are kept as a base: neither a row that is inserted, nor one of the private tables alone', async () => {
  const device = makeMutatePorts();
  const id = makeTestId();
  await mutate(device, 'job.post', makePost(id));
  await mutate(device, 'job.edit', { id, set: { title: 'Mine' }, base: { title: 'Fix the gate' } });
  expect(
    (await device.db.outbox.toArray()).map(({ base, attempts, lastError }) => ({ base, attempts, lastError })),
  ).toEqual([
    { base: [], attempts: 0, lastError: null },
    { base: [], attempts: 0, lastError: null },
  ]);
});

test('I10: a pending interest stays visible when its job leaves the private tables, where the feed had it too', async () => {
  const userId = makeTestId();
  const job = makeJob({ userId: null });
  const device = makeMutatePorts({ userId, db: openPersonDb(userId), collections: { find: async () => job } });
  const { db } = device;
  await db.users.add(makeUser({ id: userId, tradieId: makeTestId(), subscriptionStatus: 'active' }));
  // An older interest brought the job here; a restored database does not have that interest.
  await db.jobs.add(job);
  await mutate(device, 'interest.express', { id: makeTestId(), jobId: job.id });
  await db.transaction('rw', [...writeSetStores, 'outbox', 'meta'], async () => {
    const server = await readServerRows(db);
    server.put([{ table: 'jobs', id: job.id, row: undefined }]);
    await replayOutbox(device, server);
  });
  expect(await db.interests.count()).toBe(1);
});

test.each([
  ['as it is', 0],
  ['by a correction that is a year old', 365 * 86_400_000],
])('C12: time alone rejects no write of a tradie on the device: the clock %s', async (_clock, offset) => {
  const userId = makeTestId();
  const job = makeJob({ userId: null });
  const device = makeMutatePorts({ userId, db: openPersonDb(userId), collections: { find: async () => job } });
  await device.db.meta.put({ key: 'serverTimeOffset', value: offset });
  const tradie = makeUser({
    id: userId,
    tradieId: makeTestId(),
    subscriptionStatus: 'active',
    subscriptionValidUntil: new Date(now - 1_000).toISOString(),
  });
  await device.db.users.add(tradie);
  await mutate(device, 'interest.express', { id: makeTestId(), jobId: job.id });
  expect([await device.db.outbox.count(), await device.db.interests.count()]).toEqual([1, 1]);
  // The server may still reject it.
  await device.db.users.put({ ...tradie, subscriptionStatus: 'canceled' });
  await device.db.interests.clear();
  await expect(mutate(device, 'interest.express', { id: makeTestId(), jobId: job.id })).rejects.toMatchObject({
    code: 'subscription-required',
  });
});
