import { useSyncExternalStore } from 'react';
import type { Watched } from './cell.ts';

export function useWatched<T>(watched: Watched<T>): T {
  return useSyncExternalStore(watched.subscribe, watched.current);
}
