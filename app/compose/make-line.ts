import type { SessionContext, Line } from '../app-context.ts';
import { makeCell, type Watched } from '../lib/cell.ts';

export interface FollowedLine extends Watched<Line> {
  /** Whose requests tell how the connection stands; null while nobody is signed in. */
  follow(context: SessionContext | null): void;
  /** Looks again at what it is told. */
  look(): void;
}

/** How the connection stands: the engine's own requests decide, and `navigator.onLine` only until there was one. */
export function makeLine(page: Pick<Window, 'addEventListener'>, seemsOnline: () => boolean): FollowedLine {
  const guess = (): Line['kind'] => (seemsOnline() ? 'online' : 'offline');
  const line = makeCell<Line>({ kind: guess(), lastSynced: null });
  let followed: SessionContext | null = null;
  let stop = () => undefined as void;

  const look = () => {
    const status = followed?.sync.status.get();
    const kind = status === undefined || status.reach === 'unknown' ? guess() : status.reach;
    const lastSynced = status?.lastSynced ?? null;
    const now = line.current();
    if (now.kind !== kind || now.lastSynced !== lastSynced) line.set({ kind, lastSynced });
  };
  page.addEventListener('online', look);
  page.addEventListener('offline', look);

  return {
    current: line.current,
    subscribe: line.subscribe,
    look,
    follow: (context) => {
      stop();
      followed = context;
      const unsubscribe = context?.sync.status.subscribe(look);
      stop = () => unsubscribe?.();
      look();
    },
  };
}
