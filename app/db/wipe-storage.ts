import { Dexie } from 'dexie';
import type { Clock } from './clock.ts';
import { blockedAfterMs } from './connection.ts';
import { whileClosedEverywhere, type Locks } from './open-mark.ts';
import { within } from './within.ts';

export interface StorageToWipe {
  db: Dexie;
  clock: Clock;
  locks: Locks;
  /** `caches`, where the browser has it. */
  caches?: Pick<CacheStorage, 'keys' | 'delete'>;
  /**
   * Caches that hold nothing of the person's: the app's own shell, which must still start without signal, and other
   * people's outbox backups.
   */
  keepsCache(name: string): boolean;
  /**
   * Whether the person is still gone. A tab may sleep for hours in the middle of this, and its person be back when it
   * wakes.
   */
  isWanted(): Promise<boolean>;
}

/**
 * Log-out that the person asked for (C10): caches first, then every record, then the database itself; works offline.
 * Other tabs close it when they learn that the person has left, and one that does not is not waited for: `held` where
 * the database, empty by now, is still open in one. Rejects where a record or a cache could not be deleted, or the
 * storage does not answer.
 *
 * Where the person is `back`, nothing more of theirs is removed.
 *
 * Stop the sync engine first; ask about what was not sent before that; navigate after.
 */
export async function wipeStorage({
  db,
  clock,
  locks,
  caches,
  keepsCache,
  isWanted,
}: StorageToWipe): Promise<'gone' | 'held' | 'back'> {
  if (!(await isWanted())) return 'back';
  for (const name of (await caches?.keys()) ?? []) if (!keepsCache(name)) await caches?.delete(name);
  const cleared = await within(clock, blockedAfterMs, clear(db, isWanted), undefined);
  if (cleared === undefined)
    throw new Error(
      'What is saved on this phone could not be removed just now. Close the other Dwang tabs and try again.',
    );
  if (cleared === 'back') return 'back';
  const deleted = await whileClosedEverywhere(locks, clock, db.name, async () => {
    // Checked once more, and the deletion in the same task as the end of that transaction: no tab falls asleep between
    // the two.
    if ((await clear(db, isWanted)) === 'back') return 'back' as const;
    return within(
      clock,
      blockedAfterMs,
      db.delete().then(() => 'gone' as const),
      undefined,
    );
  });
  if (deleted === undefined) db.close();
  return deleted ?? 'held';
}

/**
 * Another connection can hold up the deletion of a database, but not of its records. The check runs while no other tab
 * can write: what the person saves from then on comes after this.
 */
function clear(db: Dexie, isWanted: () => Promise<boolean>): Promise<'clear' | 'back'> {
  return db.transaction('rw', db.tables, async () => {
    if (!(await Dexie.waitFor(Dexie.ignoreTransaction(isWanted)))) return 'back';
    await Promise.all(db.tables.map((table) => table.clear()));
    return 'clear';
  });
}
