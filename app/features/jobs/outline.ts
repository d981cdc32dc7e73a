import { outlineCacheName } from '../../pwa/photo-cache.ts';

/** The outline as the path of one shape, and the frame it is drawn in. */
export interface Outline {
  readonly path: string;
  readonly viewBox: string;
}

interface OutlinePorts {
  /** Ends by itself where nothing answers. */
  readonly fetch: typeof globalThis.fetch;
  /** Where the browser has it: not on a page without a secure address. */
  readonly caches: CacheStorage | undefined;
  /** Writes to this device's own log. */
  readonly log: (event: string, detail: string) => void;
}

/**
 * The outline of New Zealand: as it was kept, else fetched and then kept. `address`: with a hash of its content, so
 * that what is kept under it is never stale; an earlier version's is deleted. Rejects where it is neither here nor to
 * be had.
 */
export async function readOutline(address: string, { fetch, caches, log }: OutlinePorts): Promise<Outline> {
  // A browser that keeps nothing, or whose storage is broken: the map is fetched each time.
  const unreadable = (error: unknown) => {
    log('outline', String(error));
    return undefined;
  };
  const cache = await caches?.open(outlineCacheName).catch(unreadable);
  const kept = await cache?.match(address).catch(unreadable);
  if (kept !== undefined) return outlineIn(await kept.text());
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`the outline was answered with ${answer.status}`);
  const copy = answer.clone();
  const outline = outlineIn(await answer.text());
  if (cache !== undefined)
    await keep(cache, address, copy).catch((error: unknown) => log('outline', `not kept: ${String(error)}`));
  return outline;
}

async function keep(cache: Cache, address: string, answer: Response): Promise<void> {
  for (const earlier of await cache.keys()) await cache.delete(earlier);
  await cache.put(address, answer);
}

function outlineIn(svg: string): Outline {
  const path = / d="([^"]+)"/.exec(svg)?.[1];
  const viewBox = / viewBox="([^"]+)"/.exec(svg)?.[1];
  if (path === undefined || viewBox === undefined) throw new Error('the outline is not the drawing it should be');
  return { path, viewBox };
}
