import { useEffect } from 'react';

/** What takes the key itself: a field, and what lies over the page. */
const takers = 'input, textarea, select, [role=dialog], [role=alertdialog], [role=menu], [data-react-aria-top-layer]';

/** Escape does this, unless what has the focus takes the key. Nothing where it is undefined. */
export function useEscape(act: (() => void) | undefined): void {
  useEffect(() => {
    if (act === undefined) return undefined;
    const onKey = ({ key, defaultPrevented, target }: KeyboardEvent) => {
      const isTaken = defaultPrevented || (target instanceof Element && target.closest(takers) !== null);
      if (key === 'Escape' && !isTaken) act();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [act]);
}
