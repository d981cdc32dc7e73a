import type { Clock } from './clock.ts';
import type { Dexie } from 'dexie';
import { blockedAfterMs } from './connection.ts';

export interface HouseToEmpty {
  db: Dexie;
  clock: Clock;
  /** `caches`, where the browser has it. */
  caches?: Pick<CacheStorage, 'keys' | 'delete'>;
  /** Caches that hold nothing of the person's: the app's own shell, which must still start without signal. */
  keepsCache(name: string): boolean;
  /** Another tab holds the database; it has been told and is waited for. */
  onBlocked?(): void;
}

/**
 * Log-out that the person asked for (C10): deletes their database and caches and resolves when both are gone; works offline.
 * Stop the sync engine first; ask about what was not sent (`unsentOf`) before that; navigate after. Rejects where something would not go.
 */
export async function emptyHouse({ db, clock, caches, keepsCache, onBlocked }: HouseToEmpty): Promise<void> {
  const cancel = clock.setTimer(blockedAfterMs, () => onBlocked?.());
  try {
    await db.delete();
    for (const name of (await caches?.keys()) ?? []) if (!keepsCache(name)) await caches?.delete(name);
  } finally {
    cancel();
  }
}
