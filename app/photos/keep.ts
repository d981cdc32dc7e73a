import { withConnection } from '../db/connection.ts';
import type { PersonDb, PhotoEntry } from '../db/person-db.ts';
import { orFull } from '../db/storage-errors.ts';
import { asciiName } from './ascii-name.ts';

/** A photo as it is kept: bytes, never a Blob, and never the picked File, which may be gone when signal comes. */
export interface ShrunkPhoto {
  bytes: ArrayBuffer;
  type: string;
  /** The name that the person's phone gives it. */
  name: string;
  isOriginal: boolean;
}

export interface PhotoPlace {
  jobId: string;
  /** A new UUID version 7 for each photo. */
  newId(): string;
  /** Unix milliseconds of the pick. */
  now: number;
}

/**
 * Photos as they wait for the upload queue. Id and path are fixed here and now, so that a repeated upload is the same
 * upload:
 * `job/timestamp-name`, which names no person. Hand them to `mutate('job.post', …, { photos })`, or to `keepPhotos` for
 * a job that exists.
 */
export function createPhotoEntries(photos: readonly ShrunkPhoto[], { jobId, newId, now }: PhotoPlace): PhotoEntry[] {
  return photos.map(({ bytes, type, name }) => {
    const id = newId();
    return {
      id,
      jobId,
      path: `${jobId}/${timestamp(now, id)}-${asciiName(name, type)}`,
      bytes,
      type,
      name,
      state: 'waiting',
      attempts: 0,
      error: null,
      addedAt: new Date(now).toISOString(),
    };
  });
}

/**
 * Unix time in nanoseconds, of which the last six digits come from the id: phones call every photo `image.jpg`, and two
 * picked in one millisecond must not be one file.
 */
function timestamp(now: number, id: string): string {
  return `${now}${String(Number.parseInt(id.slice(-6), 16) % 1_000_000).padStart(6, '0')}`;
}

/** Keeps photos for a job that is in the private tables already. Throws `StorageFull`. Wake the engine after it. */
export async function keepPhotos(db: PersonDb, photos: readonly PhotoEntry[]): Promise<void> {
  try {
    await withConnection(db, () =>
      db.transaction('rw', 'photos', async () => void (await db.photos.bulkPut([...photos]))),
    );
  } catch (error) {
    throw orFull(error);
  }
}

/** The person's tap on a photo that failed: starts it over. */
export async function retryPhoto(db: PersonDb, id: string): Promise<void> {
  await withConnection(db, () =>
    db.photos
      .where('id')
      .equals(id)
      .and(({ state }) => state === 'failed')
      .modify({ state: 'waiting', attempts: 0, error: null }),
  );
}

/** A photo that is not on the job yet; one that is on it is removed by the mutation `photo.remove`. */
export async function dropPhoto(db: PersonDb, id: string): Promise<void> {
  await withConnection(db, () => db.photos.delete(id));
}
