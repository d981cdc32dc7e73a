import { beforeEach, expect, test } from 'vitest';
import { makeTestId } from '../../shared/testing/make.ts';
import { openPersonDb, type PersonDb } from '../db/person-db.ts';
import { checkCanary } from './canary.ts';

let db: PersonDb;
beforeEach(() => {
  db = openPersonDb(makeTestId());
});

const answered = [{ key: 'cookie' as const, value: 'c1' }, { key: 'snapshot' as const, value: { jobs: ['a'] } }, { key: 'lastSynced' as const, value: '2026-05-01' }];
const keys = async () => (await db.meta.toCollection().primaryKeys()).toSorted();

test('[C4] a device is new, or cleared where something is known to have been here; only its canary says that all is well', async () => {
  expect(await checkCanary(db, false)).toBe('new');
  expect(await checkCanary(db, true)).toBe('cleared');
  await db.meta.put({ key: 'canary', value: '2026-05-01' });
  expect(await checkCanary(db, true)).toBe('well');
});

test('[C4] a cookie without a canary is of a cleared device: what the last answer left goes, and nothing else', async () => {
  await db.meta.bulkPut([...answered, { key: 'device', value: 'd' }]);
  expect(await checkCanary(db, false)).toBe('cleared');
  expect(await keys()).toEqual(['device']);
});

test('[C4] where the canary stands, what the last answer left stays', async () => {
  await db.meta.bulkPut([...answered, { key: 'canary', value: '2026-05-01' }]);
  expect(await checkCanary(db, false)).toBe('well');
  expect(await keys()).toEqual(['canary', 'cookie', 'lastSynced', 'snapshot']);
});

test('[C4] a first answer that another tab takes in between the two looks is kept', async () => {
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

test('[C4] a read that fails is no answer', async () => {
  Object.assign(db.meta, { get: () => Promise.reject(new DOMException('Disk error', 'UnknownError')) });
  await expect(checkCanary(db, true)).rejects.toThrow('Disk error');
});
