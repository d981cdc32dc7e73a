import { useSyncExternalStore } from 'react';
import type { Sync } from '../sync/create-sync.ts';
import type { SyncStatus } from '../sync/status.ts';

export function useSyncStatus({ status }: Sync): SyncStatus {
  return useSyncExternalStore(status.subscribe, status.get);
}
