import type { Watched } from './cell.ts';
import { createListeners } from './listeners.ts';

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
  const listeners = createListeners();
  let stop: () => void = () => undefined;
  let shown: T | undefined;
  let isResting = false;
  let isBehind = false;

  const look = (): T => (isResting ? (shown as T) : (shown = source.current()));
  const hear = () => {
    isBehind = isResting;
    if (isResting) return;
    if (!listeners.isEmpty() && isLong(look())) {
      isResting = true;
      setTimer(restMs, () => {
        isResting = false;
        if (isBehind) hear();
      });
    }
    listeners.tell();
  };
  return {
    current: look,
    subscribe: (listener) => {
      if (listeners.isEmpty()) stop = source.subscribe(hear);
      const end = listeners.add(listener);
      return () => {
        end();
        if (listeners.isEmpty()) stop();
      };
    },
  };
}
