import type { ArgsOf } from '../../shared/mutations/index.ts';
import { withConnection } from '../db/connection.ts';
import type { PersonDb, PhotoEntry, RejectedEntry } from '../db/person-db.ts';
import { whereRoom, type KeepUploaded } from './kept-photos.ts';

/** A storage that loses what it has just taken does not get the bytes for ever. */
const maxAttempts = 5;

/**
 * Finishes photos whose bytes are uploaded: once the server has applied their `photo.attach` (I12), they are kept for a
 * restore alone (C16), or, where there is no space, gone; failed with
 * its reason where it was rejected, waiting again where their whole job was, or where storage has lost the
 * bytes: also of one that was kept for a restore, however long ago that was. Derived from the tables and not from
 * events, so that a tab that dies half-way loses nothing.
 */
export async function settlePhotos(db: PersonDb): Promise<void> {
  await whereRoom((keep) => settle(db, keep));
}

async function settle(db: PersonDb, keep: KeepUploaded): Promise<void> {
  await withConnection(db, () =>
    db.transaction('rw', ['photos', 'keptPhotos', 'jobs', 'outbox', 'refused'], async () => {
      const isAttach = ({ name }: { name: string }) => name === 'photo.attach';
      const idOf = ({ args }: { args: unknown }) => (args as { id: string }).id;
      const refused = new Map((await db.refused.filter(isAttach).toArray()).map((entry) => [idOf(entry), entry]));
      await sendKeptAgain(db, [...refused.values()]);
      const settled = await db.photos.where('state').anyOf('uploaded', 'failed').toArray();
      // Each answer asks: a long queue without photos is not read for it.
      const pending = settled.length > 0 ? await db.outbox.toArray() : [];
      const underWay = new Set(pending.filter(isAttach).map(idOf));
      const onTheirJob: PhotoEntry[] = [];
      for (const photo of settled) {
        const { id, jobId, path, state, attempts } = photo;
        if (underWay.has(id)) continue;
        const job = await db.jobs.get(jobId);
        const no = refused.get(id);
        if (job?.images.includes(`job-photos/${path}`)) onTheirJob.push(photo);
        else if (state === 'failed') continue;
        else if (no === undefined) await db.photos.delete(id);
        else if (no.code === 'file-missing' && attempts < maxAttempts) {
          // Storage lost it (a backup from before the upload was restored): nothing for the person to decide.
          await db.refused.delete(no.uid);
          await db.photos.update(id, { state: 'waiting' });
        } else if (job === undefined) await db.photos.update(id, { state: 'waiting' });
        else await db.photos.update(id, { state: 'failed', error: no.message });
      }
      await keep(db, onTheirJob);
      await db.photos.bulkDelete(onTheirJob.map(({ id }) => id));
    }),
  );
}

/** Those that storage has lost, and whose job is there: they wait for their upload once more. */
async function sendKeptAgain(db: PersonDb, refused: readonly RejectedEntry[]): Promise<void> {
  for (const { uid, code, args, at } of refused) {
    const { id, jobId } = args as ArgsOf<'photo.attach'>;
    if (code !== 'file-missing' || (await db.photos.get(id)) !== undefined) continue;
    const kept = await db.keptPhotos.get(id);
    if (kept === undefined || (await db.jobs.get(jobId)) === undefined) continue;
    const { path, bytes, type } = kept;
    const name = path.slice(path.lastIndexOf('/') + 1);
    await db.keptPhotos.delete(id);
    await db.refused.delete(uid);
    await db.photos.put({
      id,
      jobId,
      path,
      bytes,
      type,
      name,
      state: 'waiting',
      attempts: 0,
      error: null,
      addedAt: at,
    });
  }
}
