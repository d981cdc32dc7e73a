import type { Clock } from './clock.ts';
import type { Dexie } from 'dexie';
import { blockedAfterMs } from './connection.ts';

export interface HouseToEmpty {
  db: Dexie;
  clock: Clock;
  /** `caches`, where the browser has it. */
  caches?: Pick<CacheStorage, 'keys' | 'delete'>;
  /** Caches that hold nothing of the person's: the app's own shell, which must still start without signal, and what others have not sent. */
  keepsCache(name: string): boolean;
}

/**
 * Log-out that the person asked for (C10): caches first, then every record, then the database itself; works offline. Tells its other tabs
 * to let go, and waits for none that does not: `held` where the database, empty by now, is still open in one. Rejects where a record or a
 * cache would not go, or the storage does not answer.
 *
 * Stop the sync engine first; ask about what was not sent before that; navigate after.
 */
export async function emptyHouse({ db, clock, caches, keepsCache }: HouseToEmpty): Promise<'gone' | 'held'> {
  for (const name of (await caches?.keys()) ?? []) if (!keepsCache(name)) await caches?.delete(name);
  const isClear = await inTime(clock, clear(db).then(() => true));
  if (isClear === undefined) throw new Error('What is saved on this phone could not be removed just now. Close the other Dwang tabs and try again.');
  return (await inTime(clock, db.delete().then(() => 'gone' as const))) ?? 'held';
}

/** Another connection holds up the end of a database, not the end of its records. */
function clear(db: Dexie): Promise<unknown> {
  return db.transaction('rw', db.tables, () => Promise.all(db.tables.map((table) => table.clear())));
}

/** Undefined where it takes longer; what it does later still happens. */
function inTime<T>(clock: Clock, work: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = clock.setTimer(blockedAfterMs, () => resolve(undefined));
    work.then(resolve, reject).finally(cancel);
  });
}
