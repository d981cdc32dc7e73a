import { liveQuery, type Subscription } from 'dexie';
import { createCell, type Watched } from '../lib/cell.ts';
import { isConnectionLost } from './storage-errors.ts';
import type { Live } from './use-live.ts';

/**
 * One query for many subscribers: `query` runs on the device's database, and again whenever what it read changes, once for all of
 * them and only while there are subscribers. As with `useLive`, a storage error is never "empty" (C4), and a connection that
 * is just being opened again (C5) leaves the last value standing.
 */
export function watchLive<T>(query: () => Promise<T>): Watched<Live<T>> {
  const cell = createCell<Live<T>>({ state: 'reading' });
  let watching: Subscription | undefined;
  let lookers = 0;

  async function read(): Promise<Live<T>> {
    try {
      return { state: 'ready', value: await query() };
    } catch (error) {
      if (isConnectionLost(error)) throw error;
      return { state: 'failed', error };
    }
  }

  return {
    current: cell.current,
    subscribe: (listener) => {
      lookers += 1;
      watching ??= liveQuery(read).subscribe({ next: cell.set, error: () => undefined });
      const stop = cell.subscribe(listener);
      return () => {
        stop();
        lookers -= 1;
        if (lookers > 0) return;
        watching?.unsubscribe();
        watching = undefined;
      };
    },
  };
}
