import { useCallback, useEffect, useRef, useState } from 'react';

/** Longer than a thumb takes from one letter to the next: between two letters nothing but the letter is rendered. */
const restMs = 300;
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * What the person has just chosen, at once, while its lasting place (the address) follows after a pause or at a
 * navigation: after a link is pressed, Back leads to the address with the choice in it. A field whose value came back
 * through the router would lose letters; a dragged slider would write a hundred addresses.
 */
export function useOptimisticValue<T>(settled: T, settle: (next: T) => void): readonly [T, (next: T) => void] {
  const [value, setValue] = useState(settled);
  const sent = useRef(settled);
  const waiting = useRef<{ readonly timer: ReturnType<typeof setTimeout>; readonly settleNow: () => void }>(undefined);

  useEffect(() => {
    // An echo of our own change, or one overtaken by what is being typed: only another's change (the back button) is
    // followed.
    if (waiting.current !== undefined || same(settled, sent.current)) return;
    sent.current = settled;
    setValue(settled);
  }, [settled]);
  useEffect(() => {
    const moveOn = () => waiting.current?.settleNow();
    window.addEventListener('focusout', moveOn);
    window.addEventListener('pointerdown', moveOn, true);
    return () => {
      window.removeEventListener('focusout', moveOn);
      window.removeEventListener('pointerdown', moveOn, true);
      clearTimeout(waiting.current?.timer);
    };
  }, []);

  const change = useCallback(
    (next: T) => {
      setValue(next);
      clearTimeout(waiting.current?.timer);
      const settleNow = () => {
        clearTimeout(waiting.current?.timer);
        waiting.current = undefined;
        sent.current = next;
        settle(next);
      };
      waiting.current = { timer: setTimeout(settleNow, restMs), settleNow };
    },
    [settle],
  );
  return [value, change];
}
