import { useApp } from '../context/app-context.ts';
import { words } from '../words/common-words.ts';
import { useWatched } from '../context/use-watched.ts';

/** Why a control that needs signal is disabled now; undefined while there is signal. */
export function useOfflineReason(): string | undefined {
  const { connection } = useApp();
  return useWatched(connection).kind === 'offline' ? words.needSignal : undefined;
}
