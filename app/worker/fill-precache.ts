/* The small files of the build in one request, where most of them are missing (`scripts/vite-precache-bundle.ts`). */

interface Entry {
  readonly url: string;
}

/** What the build lists: the files to keep, and the address of the bundle that holds the small ones of them. */
export function splitManifest<E extends Entry>(manifest: readonly E[]): { kept: E[]; bundle: string | undefined } {
  const isBundle = ({ url }: Entry) => /^assets\/precache-[\w-]+\.json$/.test(url);
  return { kept: manifest.filter((entry) => !isBundle(entry)), bundle: manifest.find(isBundle)?.url };
}

export interface PrecachePorts {
  readonly bundle: string | undefined;
  /** The files' addresses, and under which each is cached. */
  readonly keys: ReadonlyMap<string, string>;
  open(): Promise<Cache>;
  fetch(url: string): Promise<Response>;
  log(event: string, detail: string): void;
}

/**
 * Puts into the cache what the bundle holds of the files to keep, where the cache holds less than half of them: an
 * update of a few files asks for these alone. Never rejects: what is missing afterwards is asked for by its own name.
 */
export async function fillPrecache({ bundle, keys, open, fetch, log }: PrecachePorts): Promise<void> {
  if (bundle === undefined) return;
  try {
    const cache = await open();
    const cached = new Set((await cache.keys()).map(({ url }) => url));
    const missing = new Set([...keys.values()].filter((key) => !cached.has(key)));
    if (2 * missing.size <= keys.size) return;
    const response = await fetch(bundle);
    if (!response.ok) throw new Error(`status ${response.status}`);
    const byPath = new Map([...keys].map(([url, key]) => [new URL(url).pathname, key]));
    for (const [path, text] of (await response.json()) as [path: string, text: string][]) {
      const key = byPath.get(path);
      if (key !== undefined && missing.has(key)) await cache.put(key, fileOf(path, text));
    }
  } catch (error) {
    log('precache-bundle', String(error));
  }
}

const fileOf = (path: string, text: string) =>
  new Response(text, { headers: { 'Content-Type': path.endsWith('.css') ? 'text/css' : 'text/javascript' } });
