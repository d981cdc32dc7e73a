import { useCallback, useRef, useSyncExternalStore } from 'react';

/**
 * Whether the window matches the media query, now and after each change. While the page is printed, as before: a sheet
 * is narrower than the window, and what is open in a wide one is to be on it.
 */
export function useMedia(query: string): boolean {
  const last = useRef<boolean>(undefined);
  const hear = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(hear, () => {
    if (last.current === undefined || !window.matchMedia('print').matches)
      last.current = window.matchMedia(query).matches;
    return last.current;
  });
}
