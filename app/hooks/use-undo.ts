import { useCallback } from 'react';
import { useSessionContext } from '../context/app-context.ts';

/**
 * Undo of what was just kept: what was never sent is cancelled, so that nothing waits that changes nothing; otherwise
 * its opposite is made. True where it is undone.
 */
export function useUndo(): (uid: string, opposite: () => Promise<boolean>) => Promise<boolean> {
  const { sync } = useSessionContext();
  return useCallback(
    async (uid, opposite) => {
      // Where the device cannot say, the opposite fails too, and says why.
      const cancelled = await sync.cancel(uid).catch(() => undefined);
      return cancelled?.kind === 'cancelled' || opposite();
    },
    [sync],
  );
}
