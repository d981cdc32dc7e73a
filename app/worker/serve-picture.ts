import { trimCache, type PictureCache } from '../pwa/photo-cache.ts';

interface PicturePorts {
  caches: CacheStorage;
  fetch: typeof globalThis.fetch;
  /** Keeps the worker alive until this is done. */
  later(work: Promise<unknown>): void;
  log(event: string, detail: string): void;
}

/**
 * A picture from the device, else from the network and then kept: an address's bytes never change. Pictures are asked
 * for as CORS, because a browser counts an opaque answer as several megabytes of the quota; where storage does not
 * allow that they are not kept. A cache that cannot be read or written hides no picture that the network has.
 */
export async function servePicture(
  request: Request,
  keep: PictureCache,
  { caches, fetch, later, log }: PicturePorts,
): Promise<Response> {
  const fail = (error: unknown) => log('pictures', String(error));
  const opening = caches.open(keep.name);
  const kept = await opening.then((cache) => cache.match(request.url)).catch(fail);
  if (kept !== undefined) return kept;
  let answer: Response;
  try {
    answer = await fetch(request.url, { mode: 'cors', credentials: 'omit' });
  } catch {
    return fetch(request);
  }
  // A captive portal's answer to everything must not be kept in the picture's place.
  const isPicture = answer.status === 200 && answer.headers.get('content-type')?.startsWith('image/') === true;
  if (isPicture) {
    const copy = answer.clone();
    later(
      opening
        .then((cache) => cache.put(request.url, copy))
        .then(() => trimCache(caches, keep))
        .catch(fail),
    );
  }
  return answer;
}
