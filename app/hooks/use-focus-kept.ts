import { useEffect, useRef, type RefObject } from 'react';

/** The focused element is gone, or is a button that was just disabled, which a browser blurs only later. */
const isFocusLost = () => document.activeElement === document.body || document.activeElement?.matches(':disabled');

/**
 * The focused element may leave the page with its item, as a Cancel button does, or be disabled; the focus then goes to
 * `next`, or to the page's heading where that cannot take it.
 * `items`: how many there are.
 */
export function useFocusKept(items: number, next?: RefObject<HTMLElement | null>): void {
  const before = useRef(items);
  useEffect(() => {
    const isFewer = items < before.current;
    before.current = items;
    if (!isFewer || !isFocusLost()) return;
    const target = next?.current?.matches(':not(:disabled)')
      ? next.current
      : document.querySelector<HTMLElement>('main h1');
    target?.focus({ preventScroll: true });
  }, [items, next]);
}
