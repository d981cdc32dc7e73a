import { useEffect, useRef } from 'react';

/**
 * The focused element may leave the page with its item, as a Cancel button does; the focus then goes to the page's
 * heading.
 * `items`: how many there are.
 */
export function useFocusKept(items: number): void {
  const before = useRef(items);
  useEffect(() => {
    const isFewer = items < before.current;
    before.current = items;
    if (!isFewer || document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }, [items]);
}
