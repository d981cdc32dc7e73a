import { createContext, useContext, useEffect, useRef, type RefObject } from 'react';

/** How many pages this app instance has shown. Held by `UiProvider`. */
export const PageVisitsContext = createContext<RefObject<number> | undefined>(undefined);

/** The count of pages shown so far; its own count of none outside `UiProvider`. */
function usePageVisits(): RefObject<number> {
  const own = useRef(0);
  return useContext(PageVisitsContext) ?? own;
}

/**
 * This heading takes the focus after a navigation from another page of the app. The very first page leaves the focus
 * alone.
 */
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
