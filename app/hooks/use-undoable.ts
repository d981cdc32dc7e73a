import { useCallback } from 'react';
import { useSessionContext } from '../context/app-context.ts';
import { useLocalWrite } from './use-local-write.ts';

/** Takes back what was kept; true where it did. */
type Undo = () => Promise<boolean>;

/**
 * Keeps on this device what one can take back. `make` resolves with the uid of what waits then. Gives what undoes it:
 * what was never sent is cancelled, so that nothing waits that changes nothing; otherwise its opposite is made.
 * Undefined where nothing was kept; the person was told.
 */
export function useUndoable(): (make: () => Promise<string>, opposite: Undo) => Promise<Undo | undefined> {
  const { sync } = useSessionContext();
  const keep = useLocalWrite();
  return useCallback(
    async (make, opposite) => {
      let uid = '';
      const isKept = await keep(async () => {
        uid = await make();
      });
      if (!isKept) return undefined;
      return async () => {
        // Where the device cannot say, the opposite fails too, and says why.
        const cancelled = await sync.cancel(uid).catch(() => undefined);
        return cancelled?.kind === 'cancelled' || opposite();
      };
    },
    [keep, sync],
  );
}
