import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPersonDb, received, type PersonDb } from './person-db.ts';
import { watchTransactions } from '../testing/watch-transactions.ts';

let db: PersonDb;
beforeEach(() => {
  db = openPersonDb('one-at-a-time');
});
afterEach(() => db.delete());

const draft = (key: string) => ({ key, value: key, savedAt: '2026-01-01T00:00:00.000Z' });

test('two writing transactions over different stores never overlap, and a read elsewhere waits for neither', async () => {
  const told: string[] = [];
  let isDone = () => undefined as void;
  const done = new Promise<void>((resolve) => (isDone = resolve));
  let isOver = false;
  void done.then(() => (isOver = true));
  const first = db.transaction('rw', 'drafts', async () => {
    await db.drafts.put(draft('one'));
    told.push('first begins');
    // Keeps itself open until it is released.
    while (!isOver) await db.drafts.get('one');
    told.push('first ends');
  });
  await expect.poll(() => told).toEqual(['first begins']);
  const second = db.transaction('rw', 'profiles', async () => {
    await db.profiles.count();
    told.push('second begins');
  });
  expect(await db.refused.count()).toBe(0);
  told.push('a reading');
  isDone();
  await Promise.all([first, second]);
  expect(told).toEqual(['first begins', 'a reading', 'first ends', 'second begins']);
});

test('a single put is such a transaction too, and relaxed durability stays relaxed', async () => {
  const asked = watchTransactions(db);
  await db.drafts.put(draft('two'));
  await db.segments.put({ hash: 'h', shelf: 'feed', text: '' });
  expect(asked).toEqual([
    { stores: ['drafts', 'log'], durability: 'strict' },
    { stores: ['log', 'segments'], durability: 'relaxed' },
  ]);
});

test('what the server said is written without waiting for the disk, and neither what a person writes nor the log-out’s wipe is', async () => {
  const asked = watchTransactions(db);
  await db.open();
  await db.transaction('rw', ['jobs', 'meta', received], () => db.meta.put({ key: 'cookie', value: 'c' }));
  await db.transaction('rw', ['jobs', 'meta'], () => db.meta.delete('cookie'));
  await db.transaction('rw', db.tables, () => db.meta.clear());
  expect(asked).toEqual([
    { stores: ['jobs', 'log', 'meta', 'profiles'], durability: 'relaxed' },
    { stores: ['jobs', 'log', 'meta'], durability: 'strict' },
    { stores: db.tables.map(({ name }) => name).toSorted(), durability: 'strict' },
  ]);
});
