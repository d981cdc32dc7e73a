import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useApp } from '../context/app-context.ts';
import type { BackCloses } from '../ui/back-closes-context.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Something lies over the page: which. */
    over?: string;
  }
}

/**
 * An entry in the history for what lies over the page, at the page's own address: Back takes it away, and with it what
 * it stands for.
 */
export function useBackCloses(): BackCloses {
  const { newId } = useApp();
  const router = useRouter();
  return useCallback(
    (close) => {
      const own = newId();
      const { history } = router;
      const isThere = () => history.location.state.over === own;
      void router.navigate({
        to: '.',
        search: true,
        hash: true,
        state: (before) => ({ ...before, over: own }),
        resetScroll: false,
        hashScrollIntoView: false,
      });
      const stop = history.subscribe(({ action }) => {
        if (action.type !== 'PUSH' && action.type !== 'REPLACE' && !isThere()) close();
      });
      return () => {
        stop();
        if (isThere()) history.back();
      };
    },
    [newId, router],
  );
}
