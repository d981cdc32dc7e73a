import { useMemo } from 'react';
import type { SessionContext } from '../context/app-context.ts';
import type { Live } from '../db/use-live.ts';
import type { UnsyncedNow } from '../words/item-state.ts';
import { useSyncStatus } from './use-sync-status.ts';
import { useWatched } from '../context/use-watched.ts';

/** Everything that the server has not taken yet, live, and whether an attempt is under way. */
export function useUnsynced({ unsynced, sync }: Pick<SessionContext, 'unsynced' | 'sync'>): Live<UnsyncedNow> {
  const { isAsking, phase, reach } = useSyncStatus(sync);
  const read = useWatched(unsynced);
  const attempt = isAsking || phase === 'exchanging' ? 'under-way' : reach === 'unreachable' ? 'turned-back' : 'none';
  return useMemo(
    () => (read.state === 'ready' ? { state: 'ready', value: { ...read.value, attempt } } : read),
    [attempt, read],
  );
}
