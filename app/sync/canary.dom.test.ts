import { beforeEach, expect, test } from 'vitest';
import { makeTestId } from '../../shared/testing/make.ts';
import { openPersonDb, type PersonDb } from '../db/person-db.ts';
import { checkCanary } from './canary.ts';

let db: PersonDb;
beforeEach(() => {
  db = openPersonDb(makeTestId());
});

const answered = [
  { key: 'cookie' as const, value: 'c1' },
  { key: 'snapshot' as const, value: { jobs: ['a'] } },
  { key: 'lastSynced' as const, value: '2026-05-01' },
];
const keys = async () => (await db.meta.toCollection().primaryKeys()).filter((key) => key !== 'written').toSorted();

test('[C4] without a canary a device is new, or cleared if this person is known to have been here; with one it is well', async () => {
  expect(await checkCanary(db, false)).toBe('new');
  expect(await checkCanary(db, true)).toBe('cleared');
  await db.meta.put({ key: 'canary', value: '2026-05-01' });
  expect(await checkCanary(db, true)).toBe('well');
});

test('[C4] a cookie without a canary means a cleared device: what the last answer wrote is deleted, and nothing else', async () => {
  await db.meta.bulkPut([...answered, { key: 'device', value: 'd' }]);
  expect(await checkCanary(db, false)).toBe('cleared');
  expect(await keys()).toEqual(['device']);
});

test('[C4] with a canary, what the last answer wrote stays', async () => {
  await db.meta.bulkPut([...answered, { key: 'canary', value: '2026-05-01' }]);
  expect(await checkCanary(db, false)).toBe('well');
  expect(await keys()).toEqual(['canary', 'cookie', 'lastSynced', 'snapshot']);
});

test('[C4] a first answer that another tab applies between the two reads is kept', async () => {
  const get = db.meta.get.bind(db.meta);
  Object.assign(db.meta, {
    get: async (key: string) => {
      const seen = await get(key as 'canary');
      await db.meta.bulkPut([...answered, { key: 'canary', value: '2026-05-01' }]);
      return seen;
    },
  });
  expect(await checkCanary(db, true)).toBe('well');
  expect(await keys()).toEqual(['canary', 'cookie', 'lastSynced', 'snapshot']);
});

test('[C4] a read that fails decides nothing', async () => {
  Object.assign(db.meta, { get: () => Promise.reject(new DOMException('Disk error', 'UnknownError')) });
  await expect(checkCanary(db, true)).rejects.toThrow('Disk error');
});
