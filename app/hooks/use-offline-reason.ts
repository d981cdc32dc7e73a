import { useApp } from '../context/app-context.ts';
import { words } from '../words/common-words.ts';
import { reached } from '../words/reach-words.ts';
import { useWatched } from '../context/use-watched.ts';

/** Why a control that needs the server is disabled now; undefined while something answers. */
export function useOfflineReason(): string | undefined {
  const { connection } = useApp();
  const { kind } = useWatched(connection);
  return kind === 'offline' ? words.needSignal : kind === 'unanswered' ? words.notReached : undefined;
}

/** `you have signal`, after "the first time"; where the signal is not the reason, what is. */
export function useReached(): string {
  const { connection } = useApp();
  return reached(useWatched(connection).kind);
}
