import { useEffect } from 'react';
import { useSessionContext } from '../context/app-context.ts';
import { onConnectionLost } from '../db/connection.ts';
import { useSyncStatus } from './use-sync-status.ts';

/**
 * Calls `again` where the browser may have cleared this phone under the open page (C4): as soon as that may be, and
 * once it is known. Never rejects.
 */
export function useWhenCleared(again: () => Promise<unknown>): void {
  const { db, sync } = useSessionContext();
  const { evictions } = useSyncStatus(sync);
  useEffect(() => {
    // What it does may lose the connection once more.
    let isBusy = false;
    return onConnectionLost(db, () => {
      if (isBusy) return;
      isBusy = true;
      void again().finally(() => (isBusy = false));
    });
  }, [db, again]);
  useEffect(() => {
    if (evictions > 0) void again();
  }, [evictions, again]);
}
