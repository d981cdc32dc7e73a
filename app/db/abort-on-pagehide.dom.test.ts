import { Dexie } from 'dexie';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openDb } from './abort-on-pagehide.ts';
import { withConnection } from './connection.ts';

/*
 * fake-indexeddb runs both pages in one process; that a real browser keeps a page with its transactions is seen in the
 * project `webkit` (`story.spec.ts`).
 */

let isAsleep = true;
let page: EventTarget;
let left: Dexie;
let next: Dexie;

function openOn(of: EventTarget): Dexie {
  const db = openDb('left-for-another', {}, of);
  db.version(1).stores({ entries: 'key' });
  return db;
}
const tell = (type: 'pagehide' | 'pageshow', persisted: boolean) =>
  page.dispatchEvent(Object.assign(new Event(type), { persisted }));

/** A transaction that goes on as long as it is let. */
function write(db: Dexie, isOver = () => false) {
  let began = () => {};
  const begun = new Promise<void>((resolve) => (began = resolve));
  const ended = db
    .transaction('rw', 'entries', async () => {
      await db.table('entries').put({ key: 'half' });
      began();
      while (!isOver()) await db.table('entries').get('half');
      return 'kept';
    })
    .catch((error: unknown) => (error as Error).name);
  return { begun, ended };
}

beforeEach(() => {
  isAsleep = true;
  page = new EventTarget();
  left = openOn(page);
  next = openOn(new EventTarget());
});
afterEach(async () => {
  isAsleep = false;
  vi.restoreAllMocks();
  left.close();
  await next.delete();
});

it('a page that is left in the middle of writing, and kept for the way back, does not stand in the way of the next one', async () => {
  const { begun, ended } = write(left);
  await begun;
  tell('pagehide', true);
  expect(await ended).toBe('AbortError');
  expect(await next.table('entries').toArray()).toEqual([]);
  await next.table('entries').put({ key: 'next page' });
  // What still runs in it before it sleeps begins nothing either.
  expect(await write(left, () => true).ended).not.toBe('kept');
  expect(await next.table('entries').toArray()).toEqual([{ key: 'next page' }]);

  tell('pageshow', true);
  expect(await Dexie.ignoreTransaction(() => write(left, () => true).ended)).toBe('kept');
});

it('a page that is closed for good ends what it has begun', async () => {
  let isOver = false;
  const { begun, ended } = write(left, () => isOver);
  await begun;
  tell('pagehide', false);
  isOver = true;
  expect(await ended).toBe('kept');
});

it('a page that is left while its database is made, and kept, does not stand in the way of the next one', async () => {
  let isMade = () => {};
  const begun = new Promise<void>((resolve) => (isMade = resolve));
  let isOver = false;
  left.on('populate', async (making) => {
    isMade();
    const goOn = (): PromiseLike<unknown> =>
      making
        .table('entries')
        .put({ key: 'half' })
        .then(() => isOver || goOn());
    await goOn().then(undefined, () => undefined);
  });
  const opening = left.open().then(
    () => 'opened',
    (error: unknown) => (error as Error).name,
  );
  await begun;
  tell('pagehide', true);
  expect(await opening).not.toBe('opened');
  isOver = true;
  expect(await next.table('entries').toArray()).toEqual([]);
});

it('a page that is left in the moment in which its database has been made, and kept, does not stand in the way of the next one', async () => {
  let connection: IDBDatabase | undefined;
  // What is made is being written out: there is nothing to abort any more, and no event of it reaches a page that
  // sleeps.
  left.on('populate', ({ idbtrans }) => {
    connection = idbtrans.db;
    idbtrans.commit();
    tell('pagehide', true);
  });
  await left.open().catch(() => undefined);
  expect(() => connection?.transaction('entries')).toThrow('not allowed');
  expect(await next.table('entries').toArray()).toEqual([]);

  tell('pageshow', true);
  expect(await withConnection(left, () => left.table('entries').toArray())).toEqual([]);
});

it('a page that is left, and kept, opens nothing again as it goes: the next one can delete the database, as a log-out does', async () => {
  // Dexie's own listener closes what is open, and what finds it closed opens it again before the next listener is
  // called.
  const going = new EventTarget();
  const opened = vi.spyOn(indexedDB, 'open');
  let again: Promise<unknown> = Promise.resolve();
  going.addEventListener('pagehide', () => {
    kept.close({ disableAutoOpen: false });
    again = kept.open().catch((error: unknown) => (error as Error).name);
  });
  const kept = openOn(going);
  await kept.open();
  opened.mockClear();
  going.dispatchEvent(Object.assign(new Event('pagehide'), { persisted: true }));
  expect(await again).toBe('AbortError');
  expect(opened).not.toHaveBeenCalled();
  await next.delete();

  going.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  expect(await withConnection(kept, () => kept.table('entries').toArray())).toEqual([]);
  kept.close();
});

/** Runs `work` as soon as the browser has begun a transaction of this mode, other than by a page's own code. */
function onceBegun(mode: IDBTransactionMode, work: () => void): void {
  const { transaction } = IDBDatabase.prototype;
  const seen = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (
    this: IDBDatabase,
    ...asked: Parameters<typeof transaction>
  ) {
    const begun = transaction.apply(this, asked);
    if (begun.mode === mode) {
      seen.mockRestore();
      // The page sleeps: nothing ends it by itself.
      const goOn = () => {
        if (isAsleep) begun.objectStore('entries').count().addEventListener('success', goOn);
      };
      goOn();
      queueMicrotask(work);
    }
    return begun;
  });
}

it('a page that is left in the moment in which its database has been opened, and kept, does not stand in the way of what the next one writes', async () => {
  await next.table('entries').put({ key: 'before' });
  // Dexie looks at what the database holds, in a transaction of its own.
  onceBegun('readonly', () => tell('pagehide', true));
  await left.open().catch(() => undefined);
  await next.table('entries').put({ key: 'next page' });
  expect(await next.table('entries').toArray()).toEqual([{ key: 'before' }, { key: 'next page' }]);
});

it('a page that is left while an older app’s database is brought to its version, and kept, does not stand in the way of the next one', async () => {
  await next.table('entries').put({ key: 'before' });
  next.close();
  const newer = openDb('left-for-another', {}, page);
  newer
    .version(2)
    .stores({ entries: 'key', more: 'key' })
    .upgrade(async (making) => {
      tell('pagehide', true);
      while (isAsleep) await making.table('entries').get('before');
    });
  const opening = newer.open().then(
    () => 'opened',
    (error: unknown) => (error as Error).name,
  );
  expect(await opening).not.toBe('opened');
  next = openOn(new EventTarget());
  expect(await next.table('entries').toArray()).toEqual([{ key: 'before' }]);
  newer.close();
});
