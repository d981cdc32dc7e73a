import { Dexie, liveQuery } from 'dexie';
import { afterEach, expect, test } from 'vitest';
import { refreshLiveQueries } from './refresh-live-queries.ts';

const name = 'look-again';
afterEach(() => Dexie.delete(name));

test('a tab that got no event of another’s write sees it after a refresh', async () => {
  const db = new Dexie(name, { cache: 'disabled' });
  db.version(1).stores({ notes: 'id' });
  const seen: unknown[] = [];
  let hear = () => {};
  const heard = () => new Promise<void>((resolve) => (hear = resolve));
  const first = heard();
  const watching = liveQuery(() => db.table('notes').toArray()).subscribe((rows) => {
    seen.push(rows);
    hear();
  });
  await first;
  const open = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(name);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('not opened'));
  });
  await new Promise((resolve) => {
    const writing = open.transaction('notes', 'readwrite');
    writing.objectStore('notes').add({ id: 1 });
    writing.oncomplete = resolve;
  });
  open.close();
  const second = heard();
  expect(seen).toEqual([[]]);
  refreshLiveQueries();
  await second;
  expect(seen.at(-1)).toEqual([{ id: 1 }]);
  watching.unsubscribe();
  db.close();
});
