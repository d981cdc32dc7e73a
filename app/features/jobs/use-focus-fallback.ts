import { useCallback, useEffect, useRef } from 'react';

/**
 * Where a control of the page takes itself away when it is pressed, the focus would fall to the page's beginning: it
 * goes to `target` instead. Cards are left out: those of a long list come and go as it is scrolled. `focus` does the
 * same for a control whose going this component does not see.
 */
export function useFocusFallback<Target extends HTMLElement>() {
  const target = useRef<Target>(null);
  const last = useRef<Element>(null);
  const focus = useCallback(() => target.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    const note = ({ target: focused }: FocusEvent) => {
      const isKept = focused instanceof Element && focused.matches('main *') && !focused.closest('article');
      last.current = isKept ? focused : null;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);
  useEffect(() => {
    if (last.current === null || last.current.isConnected) return;
    last.current = null;
    if (document.activeElement === document.body) focus();
  });
  return { target, focus };
}
