import { useCallback, useEffect, useRef, useState } from 'react';

/** Longer than a thumb takes from one letter to the next: between two of them nothing but the letter is drawn. */
const restMs = 300;
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * What the person has just chosen, at once, while the place where it settles (the address) follows when the hand rests. A field
 * whose value came back through the router would lose letters; a dragged slider would write a hundred addresses.
 */
export function useAhead<T>(settled: T, settle: (next: T) => void): readonly [T, (next: T) => void] {
  const [value, setValue] = useState(settled);
  const sent = useRef(settled);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    // An echo of our own, or something overtaken by what is being typed: only another's change (the back button) is taken.
    if (timer.current !== undefined || same(settled, sent.current)) return;
    sent.current = settled;
    setValue(settled);
  }, [settled]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const change = useCallback(
    (next: T) => {
      setValue(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        timer.current = undefined;
        sent.current = next;
        settle(next);
      }, restMs);
    },
    [settle],
  );
  return [value, change];
}
