import type { DBCore, Middleware } from 'dexie';
import { refreshLiveQueries } from './refresh-live-queries.ts';

/** `PageTransitionEvent`, which only pages have. */
type KeptEvent = Event & { persisted: boolean };

/**
 * A browser may keep a page that is left, to have it at hand for the way back. WebKit puts it to sleep with its transactions open, and
 * every other page of the site then waits for them without end. So such a page ends them as it goes, as if it had been closed, and begins
 * none while it sleeps; when it is shown again, it reads again.
 */
export function abortOnPageHide(page: Pick<EventTarget, 'addEventListener'> = thisPage()): Middleware<DBCore> {
  // Not the list that `watch-disk.ts` reads: that one is emptied as the connection closes, but what it had begun still goes on.
  const open = new Set<IDBTransaction>();
  let isKept = false;
  page.addEventListener('pagehide', (event) => {
    isKept = (event as KeptEvent).persisted;
    if (isKept) open.forEach(end);
  });
  page.addEventListener('pageshow', (event) => {
    isKept = false;
    if ((event as KeptEvent).persisted) refreshLiveQueries();
  });
  return {
    stack: 'dbcore',
    name: 'abort-on-pagehide',
    create: (core) => ({
      ...core,
      transaction: (...asked) => {
        const transaction = core.transaction(...asked);
        const own = transaction as unknown as IDBTransaction;
        open.add(own);
        for (const name of ['complete', 'abort'] as const) own.addEventListener(name, () => open.delete(own));
        if (isKept) end(own);
        return transaction;
      },
    }),
  };
}

function end(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch (error) {
    // It has just ended by itself.
    if (!(error instanceof DOMException && error.name === 'InvalidStateError')) throw error;
  }
}

/** A worker is never kept, and is told of nothing. */
const thisPage = () => ('document' in globalThis ? (globalThis as unknown as EventTarget) : new EventTarget());
