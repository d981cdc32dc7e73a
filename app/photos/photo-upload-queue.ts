import { Rejection } from '../../shared/mutations/rejection.ts';
import { backoffMs } from '../sync/backoff.ts';
import { withConnection } from '../db/connection.ts';
import type { CancelTimer, Clock } from '../db/clock.ts';
import type { PersonDb, PhotoEntry } from '../db/person-db.ts';
import type { CompanionWrites } from '../sync/mutate.ts';
import { isQuotaExceeded } from '../db/storage-errors.ts';
import { settlePhotos } from './settle-photos.ts';
import type { Upload, UploadResult } from './upload.ts';

/*
 * The photos' own queue: text first, bytes after; no photo ever holds up a post, nor a post a photo. A photo goes
 * waiting → uploading → uploaded (its `photo.attach` is in the outbox from the same transaction on) → gone, once the server has
 * applied that (I12). A queue that is killed anywhere finds the photo as it was and does the last step again, which changes nothing.
 */

export interface PhotoUploadQueuePorts {
  db: PersonDb;
  upload: Upload;
  /** The session's renewal, after storage answered 401. */
  refresh(): Promise<'refreshed' | 'signed-out' | 'network'>;
  mutate(
    name: 'photo.attach',
    args: { id: string; jobId: string; url: string },
    companions: CompanionWrites,
  ): Promise<{ uid: string }>;
  clock: Clock;
  random: { next(): number };
  log(event: string, detail: string): void;
}

export interface PhotoUploadQueue {
  /** For the engine: its `UploadQueuePort`. */
  onDecided(): void;
  afterExchange(): void;
  /** Sends what waits, now. */
  wake(): void;
  /** Resolves when nothing is under way; what waits for its next try does not count. Never rejects. */
  settled(): Promise<void>;
  stop(): void;
}

const atOnce = 2;
const uploadTimeoutMs = 120_000;
export const uploadFailed = 'Failed to upload images';

export function createPhotoUploadQueue(ports: PhotoUploadQueuePorts): PhotoUploadQueue {
  const { db, clock } = ports;
  const stopping = new AbortController();
  /** Uploaded, while the device's storage was too full to write that down: a full phone does not send the same bytes again and again. */
  const unwritten = new Set<string>();
  let running: Promise<void> | undefined;
  let isWanted = false;
  let failures = 0;
  let cancelRetry: CancelTimer = () => undefined;

  function wake(): void {
    isWanted = true;
    if (running !== undefined || stopping.signal.aborted) return;
    cancelRetry();
    running = run()
      .catch((error: unknown) => {
        // The device's storage could not be read: the next exchange, or the timer, tries again.
        failures += 1;
        ports.log('photo-lane', nameOf(error));
      })
      .finally(() => {
        running = undefined;
        if (stopping.signal.aborted) return;
        if (isWanted) wake();
        else if (failures > 0) cancelRetry = clock.setTimer(backoffMs(failures, ports.random.next()), wake);
      });
  }

  async function run(): Promise<void> {
    isWanted = false;
    await settlePhotos(db);
    const line = await waitingPhotos(db);
    let hasSignal = true;
    const worker = async () => {
      for (let id = line.shift(); id !== undefined && hasSignal && !stopping.signal.aborted; id = line.shift()) {
        if (!(await sendOne(id))) hasSignal = false;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    failures = hasSignal ? 0 : failures + 1;
  }

  /** False where no answer came: the others can wait too. */
  async function sendOne(id: string): Promise<boolean> {
    const photo = await withConnection(db, () => db.photos.get(id));
    if (photo === undefined) return true;
    await mark(id, { state: 'uploading', attempts: photo.attempts + 1, error: null });
    const result: UploadResult = unwritten.has(id) ? { kind: 'up' } : await uploadOne(photo);
    if (result.kind === 'up') {
      unwritten.add(id);
      await attach(photo);
      unwritten.delete(id);
      return true;
    }
    if (result.kind === 'refused') {
      await change(id, { state: 'failed', error: result.message || uploadFailed });
      return true;
    }
    await mark(id, { state: 'waiting' });
    return false;
  }

  async function uploadOne(photo: PhotoEntry): Promise<UploadResult> {
    const result = await uploadInTime(photo);
    if (result.kind !== 'unauthorized') return result;
    if ((await ports.refresh()) !== 'refreshed') return { kind: 'unreachable' };
    const again = await uploadInTime(photo);
    return again.kind === 'unauthorized' ? { kind: 'refused', message: uploadFailed } : again;
  }

  async function uploadInTime({ path, bytes, type }: PhotoEntry): Promise<UploadResult> {
    const upload = new AbortController();
    const abort = () => upload.abort();
    stopping.signal.addEventListener('abort', abort);
    const cancel = clock.setTimer(uploadTimeoutMs, abort);
    try {
      return await ports.upload({ path, bytes, type }, upload.signal);
    } finally {
      cancel();
      stopping.signal.removeEventListener('abort', abort);
    }
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

  /** For the screen alone, and it writes the whole row again, bytes and all: where that does not fit, sending is what frees space. */
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

  return {
    wake,
    afterExchange: wake,
    onDecided: wake,
    settled: async () => {
      while (running !== undefined) await running;
    },
    stop: () => {
      stopping.abort();
      cancelRetry();
    },
  };
}

/** Ids of the photos to send, small first, of jobs that are in the private tables. One whose upload the app's end cut off is among them. */
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

const nameOf = (error: unknown) =>
  error instanceof Error || error instanceof DOMException ? error.name : typeof error;
