import { Dexie } from 'dexie';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { abortOnPageHide } from './abort-on-pagehide.ts';

/*
 * fake-indexeddb runs both pages in one process; that a real browser keeps a page with its transactions is seen in the WebKit lane
 * (`story.spec.ts`).
 */

let page: EventTarget;
let left: Dexie;
let next: Dexie;

function openDb(of: EventTarget): Dexie {
  const db = new Dexie('left-for-another');
  db.version(1).stores({ entries: 'key' });
  db.use(abortOnPageHide(of));
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
  page = new EventTarget();
  left = openDb(page);
  next = openDb(new EventTarget());
});
afterEach(async () => {
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
