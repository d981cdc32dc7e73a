import { makeJob, makeTestId, makeUser } from '../../../shared/testing/make.ts';
import { seededRandom } from '../../../shared/testing/random-source.ts';
import type { Clock } from '../../db/clock.ts';
import { openPersonDb, type PhotoEntry } from '../../db/person-db.ts';
import { mutate } from '../../sync/mutate.ts';
import { createPhotoEntries, keepPhotos } from '../keep.ts';
import { createPhotoUploadQueue, type PhotoUploadQueuePorts } from '../photo-upload-queue.ts';
import type { UploadQueue } from '../upload-queue.ts';
import type { Upload } from '../upload.ts';

export type UploadHarness = Awaited<ReturnType<typeof openUploadHarness>>;

/** A homeowner's device with one job, a storage that takes everything, and upload queues as the test opens them. */
export async function openUploadHarness() {
  const userId = '0195b000-0000-7000-8000-00000000000a';
  const job = makeJob({ userId });
  const db = openPersonDb(userId);
  await db.open();
  await db.users.put(makeUser({ id: userId }));
  await db.jobs.put(job);
  const timers = new Set<() => void>();
  /** The paths that storage was sent, in order. */
  const up: string[] = [];
  const queues: UploadQueue[] = [];
  const random = { ...seededRandom(7), next: () => 0.5 };
  const clock: Clock = {
    now: () => Date.UTC(2026, 10, 21),
    setTimer: (_ms, fire) => {
      timers.add(fire);
      return () => void timers.delete(fire);
    },
  };
  const ports = { db, userId, clock, random, collections: { find: async () => undefined } };
  const toStorage: Upload = async ({ path }) => {
    up.push(path);
    return { kind: 'up' };
  };
  const mutateHere: PhotoUploadQueuePorts['mutate'] = (name, args, companions) => mutate(ports, name, args, companions);
  return {
    db,
    job,
    ports,
    timers,
    up,
    toStorage,
    mutate: mutateHere,
    open: (
      upload: Upload = toStorage,
      refresh: PhotoUploadQueuePorts['refresh'] = async () => 'network',
      given: Partial<PhotoUploadQueuePorts> = {},
    ): UploadQueue => {
      const photoUploads = createPhotoUploadQueue({
        db,
        upload,
        refresh,
        mutate: mutateHere,
        clock,
        random,
        log: (event, detail) => {
          throw new Error(`${event}: ${detail}`);
        },
        ...given,
      });
      queues.push(photoUploads);
      return photoUploads;
    },
    /** Keeps photos of these sizes for the job. */
    keep: async (...sizes: number[]): Promise<PhotoEntry[]> => {
      const shrunk = sizes.map((size) => ({
        bytes: new Uint8Array(size).buffer,
        type: 'image/jpeg',
        name: `roof ${size}.jpeg`,
        isOriginal: false,
      }));
      const photos = createPhotoEntries(shrunk, { jobId: job.id, newId: makeTestId, now: clock.now() });
      await keepPhotos(db, photos);
      return photos;
    },
    run: async (photoUploads: UploadQueue): Promise<void> => {
      photoUploads.wake();
      await photoUploads.settled();
    },
    /** What the outbox holds: names, and the files they name. */
    attached: async () =>
      (await db.outbox.orderBy('seq').toArray()).map(({ name, args }) => [name, (args as { url: string }).url]),
    states: async () => (await db.photos.orderBy('id').toArray()).map(({ state, error }) => [state, error]),
    close: async () => {
      for (const photoUploads of queues) photoUploads.stop();
      await db.delete();
    },
  };
}
