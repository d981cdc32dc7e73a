import { liveQuery } from 'dexie';
import { useObservable } from 'dexie-react-hooks';
import { useMemo } from 'react';
import { isConnectionLost } from './storage-errors.ts';

/**
 * What a screen reads from the device. A storage error is never "empty" (C4): it is `failed`, and the screen says so.
 */
export type Live<T> = { state: 'reading' } | { state: 'ready'; value: T } | { state: 'failed'; error: unknown };

const reading = { state: 'reading' } as const;

/**
 * Runs `query` on the device's database and again whenever what it read changes, in this tab or another.
 * `deps`: what `query` closes over, always as many; when they change, what was read for the old ones is not shown for the new.
 * A connection that is just being opened again (C5) leaves the last value standing.
 */
export function useLive<T>(query: () => Promise<T>, deps: readonly unknown[]): Live<T> {
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the caller's own list, as with useEffect
  const question = useMemo(() => ({}), deps);
  const ask = () =>
    liveQuery(async (): Promise<{ question: object; live: Live<T> }> => {
      try {
        return { question, live: { state: 'ready', value: await query() } };
      } catch (error) {
        if (isConnectionLost(error)) throw error;
        return { question, live: { state: 'failed', error } };
      }
    });
  const answer = useObservable(ask, [question], undefined);
  return answer?.question === question ? answer.live : reading;
}
