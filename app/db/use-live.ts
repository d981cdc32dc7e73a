import { useMemo, useSyncExternalStore } from 'react';
import { watchLive, type Live } from './watch-live.ts';

export type { Live };

/**
 * Runs `query` on the device's database and again whenever what it read changes, in this tab or another.
 * `deps`: what `query` closes over, always as many; when they change, what was read for the old ones is not shown for
 * the new.
 */
export function useLive<T>(query: () => Promise<T>, deps: readonly unknown[]): Live<T> {
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the caller's own list, as with useEffect
  const watched = useMemo(() => watchLive(query), deps);
  return useSyncExternalStore(watched.subscribe, watched.current, watched.current);
}
