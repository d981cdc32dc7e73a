import { useSyncExternalStore } from 'react';
import type { Watched } from '../lib/cell.ts';

export function useWatched<T>(watched: Watched<T>): T {
  // The third is for prerendered pages: there a value is what it was made with.
  return useSyncExternalStore(watched.subscribe, watched.current, watched.current);
}
