import { useCallback, useEffect, useRef, useState } from 'react';

/** Longer than a thumb takes from one letter to the next: between two of them nothing but the letter is drawn. */
const restMs = 300;
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * What the person has just chosen, at once, while the place where it settles (the address) follows when the hand rests, or moves on:
 * who presses a link finds it in the address they come back to. A field whose value came back through the router would lose letters;
 * a dragged slider would write a hundred addresses.
 */
export function useAhead<T>(settled: T, settle: (next: T) => void): readonly [T, (next: T) => void] {
  const [value, setValue] = useState(settled);
  const sent = useRef(settled);
  const waiting = useRef<{ readonly timer: ReturnType<typeof setTimeout>; readonly settleNow: () => void }>(undefined);

  useEffect(() => {
    // An echo of our own, or something overtaken by what is being typed: only another's change (the back button) is taken.
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
