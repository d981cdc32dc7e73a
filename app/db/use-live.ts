import { liveQuery } from 'dexie';
import { useObservable } from 'dexie-react-hooks';

/**
 * What a screen reads from the device. A storage error is never "empty" (C4): it is `failed`, and the screen says so.
 */
export type Live<T> =
  | { state: 'reading' }
  | { state: 'ready'; value: T }
  | { state: 'failed'; error: unknown };

const reading: Live<never> = { state: 'reading' };

/**
 * Runs `query` on the device's database and again whenever what it read changes, in this tab or another.
 * `deps`: what `query` closes over; an array of the same length at each call.
 */
export function useLive<T>(query: () => Promise<T>, deps: readonly unknown[]): Live<T> {
  const ask = () =>
    liveQuery(async (): Promise<Live<T>> => {
      try {
        return { state: 'ready', value: await query() };
      } catch (error) {
        return { state: 'failed', error };
      }
    });
  return useObservable<Live<T>, Live<T>>(ask, [...deps], reading);
}
