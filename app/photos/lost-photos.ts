import { withConnection } from '../db/connection.ts';
import type { PersonDb } from '../db/person-db.ts';
import { shownBy } from '../sync/journal.ts';
import { waitingForFile } from './waiting-for-file.ts';

/**
 * Since a restore they wait for bytes that have left this phone, which made them: no phone brings those. The next
 * exchange decides it (`fileGone`).
 */
export async function giveUpLostPhotos(db: PersonDb): Promise<void> {
  await withConnection(db, () =>
    db.transaction('rw', ['outbox', 'photos', 'keptPhotos'], async () => {
      const waiting = await waitingForFile(db).toArray();
      for (const { seq, from, ...entry } of waiting) {
        if (from === undefined || entry.name !== 'photo.attach') continue;
        const [id = ''] = shownBy(entry);
        if ((await db.keptPhotos.get(id)) ?? (await db.photos.get(id))) continue;
        await db.outbox.update(seq, { from: { ...from, fileGone: true } });
      }
    }),
  );
}
