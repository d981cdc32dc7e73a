import type { BackedUp, OutboxBackupPorts, Unread } from './backup-records.ts';
import type { createCopy } from './copy-backup.ts';

/*
 * A second copy of what the server has not taken, outside of IndexedDB. Chromium throws away a site's whole IndexedDB
 * when the last record of its log was cut short by a kill (docs/decisions/0009); Cache Storage is elsewhere on the disk
 * and stays.
 *
 * The backup may lag and may hold too much: a change that was sent meanwhile is sent again under its uid, and the
 * server knows it (S1).
 */

export interface OutboxBackup {
  /**
   * Restores what an emptied database lacks, in one transaction, and gives how many changes that were. A database that
   * has been in use since lost nothing: what it does not have was sent or cancelled. Rejects where the backup or the
   * database cannot be read.
   */
  restore(): Promise<number>;
  /** Brings the backup up to date with this, soon. */
  keep(waiting: BackedUp): void;
  /** Finishes what was begun; nothing is written after. */
  stop(): Promise<void>;
}

/** Deleted with its own person's log-out. */
const namesBegin = 'dwang-person-spare-';

/** The backup of another person than this one: it stays when this one logs out (I17). */
export const isBackupOfAnother = (name: string, userId: string) =>
  name.startsWith(namesBegin) && name !== `${namesBegin}${userId}`;

/** Does any person's outbox backup hold something? `besides`: leaves out this person's. */
export async function hasOutboxBackup(caches: Pick<CacheStorage, 'keys' | 'open'>, besides?: string): Promise<boolean> {
  for (const name of (await caches.keys()).filter(
    (one) => one.startsWith(namesBegin) && one !== `${namesBegin}${besides}`,
  )) {
    if ((await (await caches.open(name)).keys()).length > 0) return true;
  }
  return false;
}

export function createOutboxBackup(ports: OutboxBackupPorts): OutboxBackup {
  const { db, userId, caches, log } = ports;
  const name = `${namesBegin}${userId}`;
  let latest: BackedUp | undefined;
  let isStopped = false;
  let turn = Promise.resolve();

  const unread: Unread = (kind, error) =>
    log('spare-entry-unread', `${kind} ${error instanceof Error ? error.name : typeof error}`);

  let copy: ReturnType<typeof createCopy> | undefined;
  const loadCopy = async () => (copy ??= (await import('./copy-backup.ts')).createCopy(ports, name, unread));

  async function restore(): Promise<number> {
    // WebKit writes its list of a site's caches anew whenever one is made or deleted, and a kill in the middle of that
    // makes all of them unreadable, the app's own files too. So this one is made before anything waits, and stays until
    // the log-out.
    if (await ports.isHere()) await caches.open(name);
    // As a rule there is nothing to do, and a read takes no write lock.
    if ((await db.meta.get('spare')) !== undefined) return 0;
    const { restoreBackup } = await import('./restore-backup.ts');
    return restoreBackup(ports, name, unread);
  }

  return {
    restore,
    keep: (waiting) => {
      const isUnderWay = latest !== undefined;
      latest = waiting;
      if (isUnderWay) return;
      ports.whenIdle(() => {
        if (isStopped) return;
        turn = turn
          .then(async () => {
            const now = latest;
            latest = undefined;
            if (now !== undefined) await (await loadCopy())(now);
          })
          .catch((error: unknown) => log('spare-unkept', String(error)));
      });
    },
    stop: () => {
      isStopped = true;
      return turn;
    },
  };
}
