/** Deleted at log-out, like every cache whose name begins so. */
export const photoCacheName = 'dwang-person-photos';
/** Logos of the directory, which are public. */
export const logoCacheName = 'dwang-logos';
/**
 * The outline of the country. Named as the app's shell is, which stays when a person logs out: it says nothing of any
 * person.
 */
export const outlineCacheName = 'dwang-shell-outline';

/** Pictures kept for reading without signal; the oldest are evicted. About 40 MB at worst. */
const maxPhotos = 200;
const maxLogos = 300;

export interface PictureCache {
  name: string;
  max: number;
}

/** The cache of a picture of our storage, by its public address; undefined for anything else. */
export function cacheFor(url: URL): PictureCache | undefined {
  if (url.pathname.includes('/storage/v1/object/public/job-photos/')) return { name: photoCacheName, max: maxPhotos };
  if (url.pathname.includes('/storage/v1/object/public/tradie-logos/')) return { name: logoCacheName, max: maxLogos };
  return undefined;
}

/**
 * Makes the caches that pictures come into later, so that the list of caches is not written while something waits
 * (`outbox-backup.ts`).
 */
export async function createPictureCaches(caches: Pick<CacheStorage, 'open'>): Promise<void> {
  for (const name of [photoCacheName, logoCacheName, outlineCacheName]) await caches.open(name);
}

/** Deletes the oldest until so many are left. */
export async function trimCache(caches: CacheStorage, { name, max }: PictureCache): Promise<void> {
  const cache = await caches.open(name);
  const kept = await cache.keys();
  for (const request of kept.slice(0, Math.max(0, kept.length - max))) await cache.delete(request);
}

/** The device has little space left (C11): most pictures are deleted, those seen last stay. */
export async function trimPictures(caches: CacheStorage): Promise<void> {
  for (const name of [photoCacheName, logoCacheName]) await trimCache(caches, { name, max: 20 });
}

/**
 * The right to the feed is gone: cached photos of jobs are deleted, except these, each by its address on this origin.
 */
export async function dropFeedPhotos(caches: CacheStorage, own: ReadonlySet<string>): Promise<void> {
  if (!(await caches.has(photoCacheName))) return;
  const cache = await caches.open(photoCacheName);
  for (const request of await cache.keys()) {
    if (!own.has(new URL(request.url).pathname)) await cache.delete(request);
  }
}
