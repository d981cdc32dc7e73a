import { createContext, useContext, useRef, type RefObject } from 'react';

/** How many pages this app instance has shown. Held by `UiProvider`. */
export const PageVisitsContext = createContext<RefObject<number> | undefined>(undefined);

/** The count of pages shown so far; its own count of none outside `UiProvider`. */
export function usePageVisits(): RefObject<number> {
  const own = useRef(0);
  return useContext(PageVisitsContext) ?? own;
}
