import { liveQuery, type Subscription } from 'dexie';
import { createCell, type Watched } from '../lib/cell.ts';
import { isConnectionLost } from './storage-errors.ts';

/**
 * What is read from the device. A storage error is never "empty" (C4): it is `failed`, and the screen says so.
 */
export type Live<T> = { state: 'reading' } | { state: 'ready'; value: T } | { state: 'failed'; error: unknown };

/**
 * A query that reads more the more there is takes at most a fifth of the time, so that five hundred writes in a row
 * stay linear.
 */
const restsFor = 4;
/** Milliseconds. A query quicker than that never rests. */
const isQuick = 10;

/**
 * One query for many subscribers: `query` runs on the device's database, and again whenever what it read changes, once
 * for all of them and only while there are subscribers; a slow one then rests first. A connection that is just being
 * opened again (C5) leaves the last value standing.
 */
export function watchLive<T>(query: () => Promise<T>): Watched<Live<T>> {
  const cell = createCell<Live<T>>({ state: 'reading' });
  let watching: Subscription | undefined;
  let lookers = 0;
  let restsUntil = 0;
  let waking: ReturnType<typeof setTimeout> | undefined;

  async function read(): Promise<Live<T>> {
    const begun = performance.now();
    if (begun < restsUntil) {
      // This run reads nothing, so no change leads to another until the rest is over.
      waking = setTimeout(watch, restsUntil - begun);
      return cell.current();
    }
    try {
      return { state: 'ready', value: await query() };
    } catch (error) {
      if (isConnectionLost(error)) throw error;
      return { state: 'failed', error };
    } finally {
      const ended = performance.now();
      if (ended - begun > isQuick) restsUntil = ended + restsFor * (ended - begun);
    }
  }

  function watch(): void {
    stopWatching();
    restsUntil = 0;
    watching = liveQuery(read).subscribe({ next: cell.set, error: () => undefined });
  }

  function stopWatching(): void {
    clearTimeout(waking);
    watching?.unsubscribe();
    watching = undefined;
  }

  return {
    current: cell.current,
    subscribe: (listener) => {
      lookers += 1;
      if (watching === undefined) watch();
      const stop = cell.subscribe(listener);
      return () => {
        stop();
        lookers -= 1;
        if (lookers === 0) stopWatching();
      };
    },
  };
}
