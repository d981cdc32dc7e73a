import { Dexie } from 'dexie';
import { afterEach, expect, it, vi } from 'vitest';
import { onConnectionLost, withConnection } from './connection.ts';

afterEach(() => vi.restoreAllMocks());

it('[C5] leaving the app in WebKit: the old page, which gets no database any more, asks once again and lets go, instead of spinning for ever', async () => {
  const db = new Dexie('left-page');
  db.version(1).stores({ entries: 'key' });
  const read = () => withConnection(db, () => db.table('entries').toArray());
  await read();
  let reads = 0;
  // More than this is a loop that never lets the page go; the limit lets the test end.
  onConnectionLost(db, () => void (++reads < 50 && read().catch(() => undefined)));
  vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('IDBFactory.open() called in an invalid security context', 'SecurityError');
  });
  db.close({ disableAutoOpen: false });
  await expect(read()).rejects.toThrow('invalid security context');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(reads).toBe(1);
  db.close();
});

it('[C5] a connection that the phone lost while it slept is opened again by the next read, and is missed once more when it goes again', async () => {
  const db = new Dexie('slept');
  db.version(1).stores({ entries: 'key' });
  const read = () => withConnection(db, () => db.table('entries').toArray());
  await read();
  let lost = 0;
  onConnectionLost(db, () => (lost += 1));
  for (const times of [1, 2]) {
    db.close({ disableAutoOpen: false });
    expect(await read()).toEqual([]);
    expect(lost).toBe(times);
  }
  db.close();
});
