import type { PersonDb } from '../db/person-db.ts';
import type { StoragePort } from './ports.ts';

const tight = 0.8;

/**
 * Over 80 % of the quota: deletes the bytes of photos that storage has; `tight` where there were none left, and image
 * caches are next (C11). Never touches what waits.
 */
export async function relieveStorage(db: PersonDb, storage: StoragePort): Promise<'roomy' | 'relieved' | 'tight'> {
  const { usage = 0, quota = 0 } = await storage.estimate();
  if (quota === 0 || usage / quota <= tight) return 'roomy';
  const dropped =
    (await db.keptPhotos.toCollection().delete()) + (await db.photos.where('state').equals('uploaded').delete());
  return dropped > 0 ? 'relieved' : 'tight';
}
