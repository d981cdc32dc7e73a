import { useWatched } from '../context/use-watched.ts';
import type { Sync } from '../sync/create-sync.ts';
import type { SyncStatus } from '../sync/status.ts';

export function useSyncStatus({ status }: Sync): SyncStatus {
  return useWatched(status);
}
