import { withConnection } from '../db/connection.ts';
import type { KeptPhoto, OutboxEntry, PersonDb } from '../db/person-db.ts';
import { isQuotaExceeded } from '../db/storage-errors.ts';
import { shownBy } from '../sync/journal.ts';
import type { UploadRequest } from './upload.ts';
import type { Round } from './upload-queue.ts';
import { waitingForFile } from './waiting-for-file.ts';

/*
 * Photos that are on their job, and a logo that is on its profile, stay on the device as long as the journal keeps what
 * put them there (C16), so that storage can be given them again after a restore. They are the first to leave where
 * space is short: what waits for its first upload never does.
 */

/** A photo leaves once so many bytes came after it. */
const maxBytes = 50_000_000;

/** Inside a transaction over `keptPhotos`. */
export async function keepUploaded(db: PersonDb, photos: readonly Omit<KeptPhoto, 'upTo'>[]): Promise<void> {
  if (photos.length === 0) return;
  const [newest] = await db.keptPhotos.orderBy('upTo').reverse().limit(1).keys();
  let upTo = (newest as number | undefined) ?? 0;
  await db.keptPhotos.bulkPut(
    photos.map(({ id, path, bytes, type }) => {
      upTo += bytes.byteLength;
      return { id, path, bytes, type, upTo };
    }),
  );
  await db.keptPhotos
    .where('upTo')
    .belowOrEqual(upTo - maxBytes)
    .delete();
}

export type KeepUploaded = typeof keepUploaded;

/** Does the same without keeping anything where there is no space. */
export async function whereRoom<T>(settle: (keep: KeepUploaded) => Promise<T>): Promise<T> {
  try {
    return await settle(keepUploaded);
  } catch (error) {
    if (!isQuotaExceeded(error)) throw error;
    return settle(async () => undefined);
  }
}

/**
 * Uploads what storage lacks since a restore. What shows it waits in the outbox, and is asked for again with the next
 * exchanges (S13). Storage that loses what it has just taken does not get it for ever.
 *
 * @param waiting One whose bytes are not in `keptPhotos` yet.
 * @returns False where no answer came.
 */
export function createSendLost(
  db: PersonDb,
  name: OutboxEntry['name'],
  waiting: (id: string) => PromiseLike<UploadRequest | undefined>,
  upload: (request: UploadRequest, round: Round) => Promise<{ kind: string }>,
): (round: Round) => Promise<boolean> {
  const again = new Set<string>();
  let restoredIn: unknown;
  return async (round) => {
    const [entries, timeline] = await withConnection(db, () =>
      Promise.all([
        waitingForFile(db)
          .filter((entry) => entry.name === name)
          .toArray(),
        db.meta.get('timeline'),
      ]),
    );
    // Another restore has lost it once more.
    if (timeline?.value !== restoredIn) again.clear();
    restoredIn = timeline?.value;
    let isGone = false;
    for (const id of entries.flatMap(shownBy)) {
      if (again.has(id) || round.isStopping()) continue;
      const found = await withConnection(db, async () => (await db.keptPhotos.get(id)) ?? waiting(id));
      isGone ||= found === undefined;
      const result = found && (await upload(found, round));
      if (result?.kind === 'unreachable') return false;
      again.add(id);
    }
    // Rare, so its code is loaded where one is lost; a logo's is elsewhere.
    if (isGone && name === 'photo.attach') await (await import('./lost-photos.ts')).giveUpLostPhotos(db);
    return true;
  };
}
