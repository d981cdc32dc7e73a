import { Rejection } from '../../shared/mutations/rejection.ts';
import { withConnection } from '../db/connection.ts';
import type { PersonDb, PhotoEntry } from '../db/person-db.ts';
import type { CompanionWrites } from '../sync/mutate.ts';
import { isQuotaExceeded } from '../db/storage-errors.ts';
import { createSendLost } from './kept-photos.ts';
import { settlePhotos } from './settle-photos.ts';
import { createUploadQueue, type Round, type UploadQueue, type UploadQueuePorts } from './upload-queue.ts';
import { uploadRenewing, type UploadPorts, type UploadRequest } from './upload.ts';

/*
 * The photos' own queue: text first, bytes after; no photo ever holds up a post, nor a post a photo. A photo goes
 * waiting → uploading → uploaded (its `photo.attach` is in the outbox from the same transaction on) → gone, once the
 * server has applied that (I12). A queue that is killed anywhere finds the photo as it was and does the last step
 * again, which changes nothing.
 */

export interface PhotoUploadQueuePorts extends UploadQueuePorts, UploadPorts {
  db: PersonDb;
  mutate(
    name: 'photo.attach',
    args: { id: string; jobId: string; url: string },
    companions: CompanionWrites,
  ): Promise<{ uid: string }>;
}

const atOnce = 2;

export function createPhotoUploadQueue(ports: PhotoUploadQueuePorts): UploadQueue {
  const { db } = ports;
  /**
   * Uploaded, while the device's storage was too full to write that down: a full phone does not send the same bytes
   * again and again.
   */
  const unwritten = new Set<string>();
  const sendLost = createSendLost(db, 'photo.attach', (id) => db.photos.get(id), uploadOne);

  async function run(round: Round): Promise<boolean> {
    await settlePhotos(db);
    const line = await waitingPhotos(db);
    let hasSignal = true;
    const worker = async () => {
      for (let id = line.shift(); id !== undefined && hasSignal && !round.isStopping(); id = line.shift()) {
        if (!(await sendOne(id, round))) hasSignal = false;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    return hasSignal && (await sendLost(round));
  }

  /** False where no answer came: the others can wait too. */
  async function sendOne(id: string, round: Round): Promise<boolean> {
    const photo = await withConnection(db, () => db.photos.get(id));
    if (photo === undefined) return true;
    await mark(id, { state: 'uploading', attempts: photo.attempts + 1, error: null });
    const result = unwritten.has(id) ? { kind: 'up' as const } : await uploadOne(photo, round);
    if (result.kind === 'up') {
      unwritten.add(id);
      await attach(photo);
      unwritten.delete(id);
      return true;
    }
    if (result.kind === 'refused') {
      await change(id, { state: 'failed', error: result.message });
      return true;
    }
    await mark(id, { state: 'waiting' });
    return false;
  }

  function uploadOne({ path, bytes, type }: UploadRequest, round: Round) {
    return round.inTime((signal) => uploadRenewing(ports, { path, bytes, type }, signal));
  }

  async function attach({ id, jobId, path }: PhotoEntry): Promise<void> {
    // Removed by the person during its upload: then it must not be attached to the job either.
    if ((await withConnection(db, () => db.photos.get(id))) === undefined) return;
    try {
      const before = await db.refused
        .filter(({ name, args }) => name === 'photo.attach' && (args as { id: string }).id === id)
        .first();
      const companions: CompanionWrites = {
        changePhotos: [{ id, changes: { state: 'uploaded' } }],
        ...(before === undefined ? {} : { dropRejected: before.uid }),
      };
      await ports.mutate('photo.attach', { id, jobId, url: `job-photos/${path}` }, companions);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      await change(id, { state: 'failed', error: error.message });
    }
  }

  /**
   * For the screen alone, and it writes the whole row again, bytes and all: where that does not fit, sending is what
   * frees space.
   */
  async function mark(id: string, changes: Partial<Omit<PhotoEntry, 'id'>>): Promise<void> {
    try {
      await change(id, changes);
    } catch (error) {
      if (!isQuotaExceeded(error)) throw error;
    }
  }

  async function change(id: string, changes: Partial<Omit<PhotoEntry, 'id'>>): Promise<void> {
    await withConnection(db, () => db.photos.update(id, changes));
  }

  return createUploadQueue(ports, 'photo-lane', run);
}

/**
 * Ids of the photos to send, small first, of jobs that are in the private tables. One whose upload the app's end cut
 * off is among them.
 */
async function waitingPhotos(db: PersonDb): Promise<string[]> {
  return withConnection(db, () =>
    db.transaction('r', ['photos', 'jobs'], async () => {
      const waiting: { id: string; jobId: string; size: number }[] = [];
      await db.photos
        .where('state')
        .anyOf('waiting', 'uploading')
        .each(({ id, jobId, bytes }) => {
          waiting.push({ id, jobId, size: bytes.byteLength });
        });
      const jobs = new Set(
        await db.jobs
          .where('id')
          .anyOf(waiting.map(({ jobId }) => jobId))
          .primaryKeys(),
      );
      return waiting
        .filter(({ jobId }) => jobs.has(jobId))
        .toSorted((one, other) => one.size - other.size)
        .map(({ id }) => id);
    }),
  );
}
