import type { Dexie } from 'dexie';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keptPagesPath } from '../../shared/lib/kept-pages.ts';
import { openDb } from './abort-on-pagehide.ts';

/* That a browser gives up such pages when it is told to is seen in the WebKit lane (`webkit-left-page.spec.ts`). */

let sleeping: IDBDatabase | undefined;
let isAsleep = true;
let db: Dexie;
let asked: string[];

beforeEach(() => {
  isAsleep = true;
  asked = [];
  vi.stubGlobal('fetch', async (path: string, { method }: RequestInit) => {
    asked.push(`${method} ${path}`);
    // As the browser does it.
    isAsleep = false;
    return new Response(null, { status: 204 });
  });
  db = openDb('held-up', {}, new EventTarget());
  db.version(1).stores({ entries: 'key' });
});
afterEach(async () => {
  isAsleep = false;
  vi.unstubAllGlobals();
  sleeping?.close();
  await db.delete();
});

/** A page that was left while it made the database, and of whose going no other page heard. */
function makeHalf(): Promise<void> {
  return new Promise((resolve) => {
    const opening = indexedDB.open('held-up', 10);
    opening.addEventListener('upgradeneeded', () => {
      sleeping = opening.result;
      const entries = sleeping.createObjectStore('entries', { keyPath: 'key' });
      const goOn = () => {
        if (isAsleep) entries.count().addEventListener('success', goOn);
        else sleeping?.close();
      };
      goOn();
      resolve();
    });
  });
}

it('a page that waits for its database while one that sleeps is making it has that one given up, and opens', async () => {
  await makeHalf();
  await db.open();
  expect(asked).toEqual([`POST ${keptPagesPath}`]);
});

it('a page whose write waits for one that sleeps has that one given up, and writes', async () => {
  await db.open();
  let begin = () => {};
  const began = new Promise<void>((resolve) => (begin = resolve));
  const raw = indexedDB.open('held-up');
  raw.addEventListener('success', () => {
    sleeping = raw.result;
    const entries = sleeping.transaction('entries', 'readwrite').objectStore('entries');
    const again = () => {
      if (isAsleep) entries.count().addEventListener('success', again);
    };
    again();
    begin();
  });
  await began;
  await db.table('entries').put({ key: 'one' });
  expect(asked).toEqual([`POST ${keptPagesPath}`]);
});

it('storage that answers has nothing given up', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await db.open();
    await db.table('entries').put({ key: 'one' });
    vi.advanceTimersByTime(60_000);
    expect(asked).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});
