import type { SessionContext, ConnectionStatus } from '../context/app-context.ts';
import { createCell, type Watched } from '../lib/cell.ts';
import type { Reach } from '../sync/status.ts';

export interface FollowedConnectionStatus extends Watched<ConnectionStatus> {
  /** Whose requests show the state of the connection; null while no person is signed in. */
  follow(context: SessionContext | null): void;
  /** What became of a visitor's request: an answer, or none. */
  hear(reach: 'online' | 'offline'): void;
  /** Reads its inputs again. */
  look(): void;
}

/**
 * The state of the connection: the engine's own requests decide, or a visitor's for the public lists, and
 * `navigator.onLine` until there was one, and on why no answer comes.
 */
export function createConnectionStatus(
  page: Pick<Window, 'addEventListener'>,
  seemsOnline: () => boolean,
): FollowedConnectionStatus {
  const guess = (): ConnectionStatus['kind'] => (seemsOnline() ? 'online' : 'offline');
  const connection = createCell<ConnectionStatus>({ kind: guess(), lastSynced: null });
  const kindOf = (reach: Reach): ConnectionStatus['kind'] => {
    if (reach === 'unknown') return guess();
    return reach === 'offline' && seemsOnline() ? 'unanswered' : reach;
  };
  let followed: SessionContext | null = null;
  let heard: Reach = 'unknown';
  let stop = () => undefined as void;

  const look = () => {
    const status = followed?.sync.status.current();
    const kind = kindOf(status?.reach ?? heard);
    const lastSynced = status?.lastSynced ?? null;
    const now = connection.current();
    if (now.kind !== kind || now.lastSynced !== lastSynced) connection.set({ kind, lastSynced });
  };
  page.addEventListener('online', look);
  page.addEventListener('offline', look);

  return {
    current: connection.current,
    subscribe: connection.subscribe,
    look,
    hear: (reach) => {
      heard = reach;
      look();
    },
    follow: (context) => {
      stop();
      followed = context;
      heard = 'unknown';
      const unsubscribe = context?.sync.status.subscribe(look);
      stop = () => unsubscribe?.();
      look();
    },
  };
}
