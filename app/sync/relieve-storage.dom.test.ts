import { expect, test } from 'vitest';
import { makeTestId } from '../../shared/testing/make.ts';
import { openPersonDb, type PhotoEntry } from '../db/person-db.ts';
import { relieveStorage } from './relieve-storage.ts';

const photo = (state: PhotoEntry['state']): PhotoEntry => ({
  id: makeTestId(),
  jobId: 'j',
  path: 'p',
  bytes: new ArrayBuffer(1),
  type: 'image/jpeg',
  name: 'n',
  state,
  attempts: 0,
  error: null,
  addedAt: '',
});

test('C11, I12: over 80 % of the quota only photos that are uploaded are deleted, and the outbox never', async () => {
  const db = openPersonDb(makeTestId());
  await db.photos.bulkAdd((['waiting', 'uploading', 'uploaded', 'failed'] as const).map(photo));
  const storage = (usage: number) => ({ persist: async () => true, estimate: async () => ({ usage, quota: 100 }) });
  expect(await relieveStorage(db, storage(80))).toBe('roomy');
  expect(await db.photos.count()).toBe(4);
  expect(await relieveStorage(db, storage(81))).toBe('relieved');
  expect((await db.photos.toArray()).map(({ state }) => state).toSorted()).toEqual(['failed', 'uploading', 'waiting']);
  expect(await relieveStorage(db, storage(81))).toBe('tight');
});

test.each([
  ['gives no quota', { usage: 5 }],
  ['gives no estimate', {}],
  ['gives a quota of 0, as a private window may', { usage: 5, quota: 0 }],
])('C11: nothing is deleted where the browser %s', async (_what, estimate) => {
  const db = openPersonDb(makeTestId());
  await db.photos.add(photo('uploaded'));
  expect(await relieveStorage(db, { persist: async () => true, estimate: async () => estimate })).toBe('roomy');
  expect(await db.photos.count()).toBe(1);
});

test('C11: an estimate without usage counts as empty storage', async () => {
  const db = openPersonDb(makeTestId());
  expect(await relieveStorage(db, { persist: async () => true, estimate: async () => ({ quota: 100 }) })).toBe('roomy');
});
