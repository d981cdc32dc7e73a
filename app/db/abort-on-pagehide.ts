import { Dexie, type DexieOptions } from 'dexie';
import { watchForHoldUps } from './held-up.ts';
import { refreshLiveQueries } from './refresh-live-queries.ts';
import { writesOfOthers } from './writes-of-others.ts';

/** `PageTransitionEvent`, which only pages have. */
type KeptEvent = Event & { persisted: boolean };

/**
 * A database whose transactions end with their page. A browser may keep a page that is left, to have it at hand for the
 * way back. WebKit puts it to sleep with its transactions open, the one that makes the database included, and every
 * other page of the site then waits for them without end (https://bugs.webkit.org/show_bug.cgi?id=315804). So such a
 * page ends them as it goes, as if it had been closed, and begins none and opens nothing while it sleeps; when it is
 * shown again, it reads again. What slips through, a database that is being asked for as the page goes among it, is
 * given up once another page waits for it (`held-up.ts`).
 */
export function openDb(
  name: string,
  options: DexieOptions,
  page: Pick<EventTarget, 'addEventListener'> = thisPage(),
): Dexie {
  // Not the list that `watch-disk.ts` reads: that one is emptied as the connection closes, but what it had begun still
  // goes on.
  const open = new Set<IDBTransaction>();
  let isKept = false;
  // Before Dexie's own listener: it closes what is open, and what then finds it closed would open it again in the
  // middle of the event.
  page.addEventListener(
    'pagehide',
    (event) => {
      isKept = (event as KeptEvent).persisted;
      if (isKept) open.forEach(end);
    },
    { capture: true },
  );
  page.addEventListener('pageshow', (event) => {
    isKept = false;
    if ((event as KeptEvent).persisted) refreshLiveQueries();
  });
  const heed = watchForHoldUps();
  const follow = (transaction: IDBTransaction) => {
    open.add(transaction);
    heed(transaction, 'complete', 'abort');
    for (const event of ['complete', 'abort']) transaction.addEventListener(event, () => open.delete(transaction));
    if (isKept) end(transaction);
    return transaction;
  };
  const db = new Dexie(name, {
    ...options,
    indexedDB: followed((options.indexedDB ?? Dexie.dependencies.indexedDB) as IDBFactory, follow, () => isKept, heed),
  });
  db.use(writesOfOthers);
  return db;
}

/**
 * The browser's databases, with each of their transactions told of. Dexie begins some out of sight of its middleware:
 * the one that makes a database or brings an older app's to a new version, and the one in which it looks at what a
 * database holds.
 */
function followed(
  factory: IDBFactory,
  follow: (transaction: IDBTransaction) => IDBTransaction,
  isKept: () => boolean,
  heed: ReturnType<typeof watchForHoldUps>,
) {
  return {
    open: (name: string, version?: number) => {
      // The browser would open it, and the page, asleep, never hear of it: such a connection yields to no other page.
      if (isKept()) throw new DOMException('This page has been left.', 'AbortError');
      const opening = heed(factory.open(name, version), 'upgradeneeded', 'success', 'error');
      opening.addEventListener('upgradeneeded', () => opening.transaction && follow(opening.transaction));
      opening.addEventListener('success', () => {
        const db = opening.result;
        const begin = db.transaction.bind(db);
        db.transaction = (...asked) => follow(begin(...asked));
      });
      return opening;
    },
    deleteDatabase: (name: string) => heed(factory.deleteDatabase(name), 'success', 'error'),
    databases: () => factory.databases(),
  };
}

function end(transaction: IDBTransaction): void {
  // What makes a database holds up every other opening until its page has heard that it is over. A page that sleeps
  // hears nothing, and what is being written out already can be aborted no more; but its connection closes. When the
  // page is shown again it opens anew.
  if (transaction.mode === 'versionchange') transaction.db.close();
  try {
    transaction.abort();
  } catch (error) {
    // It has just ended by itself.
    if (!(error instanceof DOMException && error.name === 'InvalidStateError')) throw error;
  }
}

/** A worker is never kept, and is told of nothing. */
const thisPage = () => ('document' in globalThis ? (globalThis as unknown as EventTarget) : new EventTarget());
