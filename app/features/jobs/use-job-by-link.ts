import { useEffect, useState } from 'react';
import type { AnswerOf } from '../../../shared/api/index.ts';
import { useApp } from '../../context/app-context.ts';
import { CallRejected } from '../../api/call.ts';
import { useWatched } from '../../context/use-watched.ts';

export type JobByLink =
  | { readonly state: 'reading' }
  | { readonly state: 'ready'; readonly job: AnswerOf<'jobs.read'> }
  | { readonly state: 'not-found' }
  /** No answer came: without signal, a job never seen on this device cannot be said to exist or not. */
  | { readonly state: 'unanswered' };

/**
 * Reads a job by its link, `isWanted` saying that this device has no copy. Asks again when the connection comes back;
 * without one it does not wait for the call to fail, which a session that has to be renewed first delays by many
 * seconds.
 */
export function useJobByLink(id: string, isWanted: boolean): JobByLink {
  const { caller, connection } = useApp();
  const { kind } = useWatched(connection);
  const [found, setFound] = useState<JobByLink>({ state: 'reading' });
  const isReachable = kind === 'online' || kind === 'slow';

  useEffect(() => {
    if (!isWanted) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    caller.call('jobs.read', { params: { id }, signal }).then(
      (job) => signal.aborted || setFound({ state: 'ready', job }),
      (error: unknown) => {
        if (signal.aborted) return;
        const isAbsent = error instanceof CallRejected && (error.status === 404 || error.status === 400);
        setFound((before) =>
          isAbsent ? { state: 'not-found' } : before.state === 'ready' ? before : { state: 'unanswered' },
        );
      },
    );
    return () => leaving.abort();
  }, [caller, id, isWanted, isReachable]);

  return found.state === 'reading' && kind === 'offline' ? { state: 'unanswered' } : found;
}
