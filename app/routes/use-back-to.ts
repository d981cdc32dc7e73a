import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';

/** The list that each page was opened from, by router, known by the key of that page's entry in the history. */
const openedFrom = new WeakMap<object, Map<string, string>>();

/** Notes, at a navigation from this page, that the next one was opened from here. */
export function useLeadsBack(path: string): void {
  const router = useRouter();
  useEffect(() => {
    const here = router.history.location.state.__TSR_index;
    return () => {
      const { __TSR_index: index, __TSR_key: key } = router.history.location.state;
      if (key === undefined || index !== here + 1) return;
      const known = openedFrom.get(router) ?? new Map<string, string>();
      openedFrom.set(router, known.set(key, path));
    };
  }, [path, router]);
}

/**
 * Goes to a path. Where this page was opened from that very path it goes back in the history, so that the filters and
 * the place in the list are still there.
 */
export function useBackTo(): (path: string) => void {
  const router = useRouter();
  return useCallback(
    (path: string) => {
      const key = router.history.location.state.__TSR_key;
      if (key !== undefined && openedFrom.get(router)?.get(key) === path) router.history.back();
      else void router.navigate({ href: path });
    },
    [router],
  );
}
