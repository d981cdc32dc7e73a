import { useMemo } from 'react';
import type { SessionContext } from '../context/app-context.ts';
import type { Live } from '../db/use-live.ts';
import type { UnsyncedNow } from '../words/item-state.ts';
import { isAsked } from '../words/mutation-words.ts';
import { useSyncStatus } from './use-sync-status.ts';
import { useWatched } from '../context/use-watched.ts';
import type { Unsynced } from '../context/watch-unsynced.ts';

/** Everything that the person did and the server has not taken yet, live, and whether an attempt is under way. */
export function useUnsynced({ unsynced, sync }: Pick<SessionContext, 'unsynced' | 'sync'>): Live<UnsyncedNow> {
  const { isAsking, phase, reach } = useSyncStatus(sync);
  const read = useWatched(unsynced);
  const attempt = isAsking || phase === 'exchanging' ? 'under-way' : reach === 'unreachable' ? 'turned-back' : 'none';
  return useMemo(
    () => (read.state === 'ready' ? { state: 'ready', value: { ...asked(read.value), attempt } } : read),
    [attempt, read],
  );
}

const asked = (all: Unsynced): Unsynced => ({
  ...all,
  outbox: all.outbox.filter(isAsked),
  saving: all.saving.filter(isAsked),
  rejected: all.rejected.filter(isAsked),
});
