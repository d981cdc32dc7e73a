import { useMemo, useSyncExternalStore } from 'react';
import type { Watched } from '../lib/cell.ts';
import type { PrivateRows, Rows, StoreInMemory, Watchable } from './private-rows.ts';
import type { Live } from './watch-live.ts';

const reading = { state: 'reading' } as const;

type StoreOf<Part extends Watchable> = Part extends StoreInMemory ? Part : 'meta';

/** What `select` finds in memory: the same value until something of `watched` changes. */
export function watchRows<Part extends Watchable, T>(
  rows: PrivateRows,
  watched: readonly Part[],
  select: (rows: Pick<Rows, StoreOf<Part>>) => T,
): Watched<Live<T>> {
  let seen = '';
  let live: Live<T> = reading;
  return {
    subscribe: rows.subscribe,
    current: () => {
      const state = rows.state();
      const now = `${state.kind} ${watched.map((of) => rows.version(of)).join()}`;
      if (now === seen) return live;
      seen = now;
      if (state.kind === 'ready') live = { state: 'ready', value: select(rows.shown) };
      else live = state.kind === 'failed' ? { state: 'failed', error: state.error } : reading;
      return live;
    },
  };
}

/**
 * What a screen shows of the person's own rows, from memory: at once, also what is just being saved. `deps`: what
 * `select` closes over, always as many. A storage error is never "empty" (C4): it is `failed`, and the screen says so.
 */
export function useRows<Part extends Watchable, T>(
  { rows }: { readonly rows: PrivateRows },
  watched: readonly Part[],
  select: (rows: Pick<Rows, StoreOf<Part>>) => T,
  deps: readonly unknown[],
): Live<T> {
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the caller's own list, as with useEffect
  const found = useMemo(() => watchRows(rows, watched, select), [rows, ...deps]);
  return useSyncExternalStore(found.subscribe, found.current, found.current);
}
