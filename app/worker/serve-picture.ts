import { trimCache, type PictureCache } from '../pwa/photo-cache.ts';

/**
 * A picture from the device, else from the network and then kept: an address's bytes never change. Pictures are asked for as CORS,
 * because a browser counts an opaque answer as several megabytes of the quota; where storage does not allow that they are not kept.
 */
export async function servePicture(
  request: Request,
  keep: PictureCache,
  { caches, fetch, later }: { caches: CacheStorage; fetch: typeof globalThis.fetch; later(work: Promise<unknown>): void },
): Promise<Response> {
  const cache = await caches.open(keep.name);
  const kept = await cache.match(request.url);
  if (kept !== undefined) return kept;
  let answer: Response;
  try {
    answer = await fetch(request.url, { mode: 'cors', credentials: 'omit' });
  } catch {
    return fetch(request);
  }
  // What a captive portal says to everything would stand in the picture's place for good.
  const isPicture = answer.status === 200 && answer.headers.get('content-type')?.startsWith('image/') === true;
  if (isPicture) {
    const copy = answer.clone();
    // No room is no reason to withhold a picture that is here.
    later(cache.put(request.url, copy).then(() => trimCache(caches, keep)).catch(() => undefined));
  }
  return answer;
}
