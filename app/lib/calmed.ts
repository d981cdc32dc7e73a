import type { Watched } from './cell.ts';

/** So often in a second a long list is looked at anew. */
const restMs = 200;

/**
 * The same value, but while it `isLong`, changed at most once in `restMs`: to look through thousands for each of
 * thousands of changes would take a time that grows with the square of their number. A first change is told at once.
 */
export function calmed<T>(
  source: Watched<T>,
  isLong: (value: T) => boolean,
  setTimer: (ms: number, then: () => void) => unknown,
): Watched<T> {
  const listeners = new Set<() => void>();
  let stop = () => undefined as void;
  let shown: T | undefined;
  let isResting = false;
  let isBehind = false;

  const look = (): T => (isResting ? (shown as T) : (shown = source.current()));
  const hear = () => {
    isBehind = isResting;
    if (isResting) return;
    if (listeners.size > 0 && isLong(look())) {
      isResting = true;
      setTimer(restMs, () => {
        isResting = false;
        if (isBehind) hear();
      });
    }
    for (const listener of listeners) listener();
  };
  return {
    current: look,
    subscribe: (listener) => {
      if (listeners.size === 0) stop = source.subscribe(hear) as () => void;
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop();
      };
    },
  };
}
