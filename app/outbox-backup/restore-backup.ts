import type { OutboxEntry } from '../db/person-db.ts';
import { writeSetStores } from '../sync/dexie-tx.ts';
import { replayOutbox } from '../sync/replay.ts';
import { readServerRows } from '../sync/server-rows.ts';
import { countOf, readAll, type BackedUp, type OutboxBackupPorts, type Unread } from './backup-records.ts';

const nothing: BackedUp = { outbox: [], rejected: [], photos: [] };

/** Restores what an emptied database lacks; gives how many changes that were. */
export async function restoreBackup(
  { db, userId, caches }: OutboxBackupPorts,
  name: string,
  unread: Unread,
): Promise<number> {
  const lost = (await caches.has(name)) ? await readAll(await caches.open(name), unread) : nothing;
  return db.transaction('rw', [...writeSetStores, 'outbox', 'refused', 'photos', 'meta'], async () => {
    if ((await db.meta.get('spare')) !== undefined) return 0;
    await db.meta.put({ key: 'spare', value: true });
    if (countOf(lost) === 0) return 0;
    const here = new Set(await db.outbox.orderBy('uid').keys());
    // Whether one of them was sent since it was copied is not known (C7).
    const entries = lost.outbox
      .filter(({ uid }) => !here.has(uid))
      .map(({ seq: _, ...entry }) => ({ ...entry, state: 'sent' as const }));
    await db.outbox.bulkAdd(entries as OutboxEntry[]);
    await db.refused.bulkPut([...lost.rejected]);
    await db.photos.bulkPut(lost.photos.map((photo) => ({ ...photo, state: 'waiting' as const })));
    await replayOutbox({ db, userId }, await readServerRows(db));
    return entries.length + lost.rejected.length;
  });
}
