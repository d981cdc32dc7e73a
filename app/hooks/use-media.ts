import { useCallback, useSyncExternalStore } from 'react';

/** Whether the window matches the media query, now and after each change. */
export function useMedia(query: string): boolean {
  const hear = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(hear, () => window.matchMedia(query).matches);
}
