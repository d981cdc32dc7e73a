import { withConnection } from '../db/connection.ts';
import type { PersonDb } from '../db/person-db.ts';

/**
 * What became of photos whose bytes are up: gone from the device once the server has applied their `photo.attach` (I12), failed with
 * its reason where it was turned down, waiting again where their whole job was. Read off the tables and not off events, so that a
 * tab that dies in between loses nothing.
 */
export async function settlePhotos(db: PersonDb, photoBase: string): Promise<void> {
  await withConnection(db, () =>
    db.transaction('rw', ['photos', 'jobs', 'outbox', 'refused'], async () => {
      const settled = await db.photos.where('state').anyOf('uploaded', 'failed').toArray();
      if (settled.length === 0) return;
      const isAttach = ({ name }: { name: string }) => name === 'photo.attach';
      const idOf = ({ args }: { args: unknown }) => (args as { id: string }).id;
      const underWay = new Set((await db.outbox.filter(isAttach).toArray()).map(idOf));
      const refused = new Map((await db.refused.filter(isAttach).toArray()).map((entry) => [idOf(entry), entry.message]));
      for (const { id, jobId, path, state } of settled) {
        if (underWay.has(id)) continue;
        const job = await db.jobs.get(jobId);
        const message = refused.get(id);
        if (job?.images.includes(`${photoBase}${path}`)) await db.photos.delete(id);
        else if (state === 'failed') continue;
        else if (message === undefined) await db.photos.delete(id);
        else if (job === undefined) await db.photos.update(id, { state: 'waiting' });
        else await db.photos.update(id, { state: 'failed', error: message });
      }
    }),
  );
}
