import type { DBCore, Middleware } from 'dexie';

/**
 * Read-write transactions of a database one after the other, between tabs and the worker too: each of them names
 * `store`, so the browser itself makes them wait. Killed with two of them under way, Chromium cannot undo both when it
 * starts again, calls the whole of the site's storage corrupt and throws it away (docs/decisions/0009).
 */
export function oneAtATime(store: string): Middleware<DBCore> {
  return {
    stack: 'dbcore',
    name: 'one-at-a-time',
    create: (core) => ({
      ...core,
      transaction: (stores, mode, options) =>
        core.transaction(mode === 'readwrite' && !stores.includes(store) ? [...stores, store] : stores, mode, options),
    }),
  };
}
