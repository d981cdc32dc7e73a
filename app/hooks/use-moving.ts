import { useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { mayMove } from '../lib/may-move.ts';

/**
 * The value as it is painted: where `key` differs, the change is painted inside a view transition, so that what has a
 * name goes from its old place to its new one. Without view transitions, and with reduced motion, it is painted at
 * once.
 */
export function useMoving<T>(value: T, key: string): T {
  const [shown, setShown] = useState({ value, key });
  const isMove = shown.key !== key && mayMove();
  if (shown.value !== value && !isMove) setShown({ value, key });
  useLayoutEffect(() => {
    if (!isMove) return;
    const moving = document.startViewTransition(() => flushSync(() => setShown({ value, key })));
    // The next change, or the page's end, skips a movement that has not begun; what it shows is painted all the same.
    moving.ready.catch(() => undefined);
  }, [isMove, value, key]);
  return isMove ? shown.value : value;
}
