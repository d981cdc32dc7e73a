import { useEffect, useRef, type RefObject } from 'react';
import { usePageVisits } from '../ui/page-visits.ts';

/** This heading takes the focus after a navigation from another page of the app, as `Page` does for its own. */
export function useNavigationFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const isCounted = useRef(false);
  const visits = usePageVisits();
  useEffect(() => {
    if (isCounted.current) return;
    isCounted.current = true;
    if (visits.current > 0) heading.current?.focus({ preventScroll: true });
    visits.current += 1;
  }, [visits]);
  return heading;
}
