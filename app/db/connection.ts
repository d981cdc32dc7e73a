import type { Dexie } from 'dexie';
import type { Clock } from './clock.ts';
import { isConnectionLost } from './storage-errors.ts';

/**
 * Does `work`; where the connection was lost, closes, opens again and does it once more (C5).
 * A Dexie transaction that rejected did not complete, so a second go is safe as long as `work` is one transaction, or
 * reads.
 */
export async function withConnection<T>(db: Dexie, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isConnectionLost(error) || db.hasBeenClosed()) throw error;
    db.close({ disableAutoOpen: false });
    await db.open();
    return await work();
  }
}

/**
 * Calls `hear` when the connection ended without our code having closed it for good: the browser cleared the site's
 * data, or a phone that slept lost it (C5). The next read opens again, and may find nothing. Returns what ends it.
 */
export function onConnectionLost(db: Dexie, hear: () => void): () => void {
  const onClose = () => {
    // Dexie fires this of a failed opening too. `hear` reads, a read opens, and where that fails at once, as it does in
    // WebKit in a page that is being left, they would call each other for ever, and the page would never end.
    if (!db.isOpen()) return;
    // Dexie fires this before it has decided whether it may open again.
    queueMicrotask(() => db.hasBeenClosed() || hear());
  };
  db.on('close', onClose);
  return () => db.on.close.unsubscribe(onClose);
}

export interface ConnectionNotices {
  /**
   * Another tab brought a newer app, or the person logged out there: this tab must be reloaded. The connection is
   * closed.
   */
  onReplaced(): void;
  /** The database did not open within 5 s: another tab holds it. It goes on waiting. */
  onBlocked(): void;
}

export const blockedAfterMs = 5_000;

/** Opens the connection: yields to newer apps, reports where it cannot. Rejects where nothing can be read at all. */
export async function connectDb(db: Dexie, clock: Clock, notices: ConnectionNotices): Promise<void> {
  db.on('versionchange', () => {
    db.close();
    notices.onReplaced();
    // Dexie's own handler, which would run next, closes too, but opens again at the next read.
    return false;
  });
  const cancel = clock.setTimer(blockedAfterMs, () => notices.onBlocked());
  try {
    await withConnection(db, async () => void (await db.open()));
  } finally {
    cancel();
  }
}
