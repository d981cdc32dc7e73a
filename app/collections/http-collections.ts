import { manifestSchema, segmentCount } from '../../shared/protocol/segment.ts';
import type { Clock } from '../db/clock.ts';
import { withIdleTimeout } from './idle-timeout.ts';
import type { CollectionsPorts } from './collections-on-device.ts';

/** As many as are asked for side by side: one broken line breaks them all. */
const maxBroken = 4;

/**
 * `GET /api/sync/shelves/{name}` and `…/{hash},…`, with the token where there is one. A request is given up when no
 * byte of its answer has come for a while, and lives as long as bytes come (C13).
 */
export function createHttpCollections(ports: {
  fetch: typeof fetch;
  accessToken(): Promise<string | null>;
  clock: Pick<Clock, 'setTimer'>;
}): Pick<CollectionsPorts, 'fetchSegment' | 'fetchSegments' | 'fetchManifest'> {
  async function get(path: string, init: RequestInit): Promise<Response> {
    const token = await ports.accessToken();
    const headers = token === null ? {} : { authorization: `Bearer ${token}` };
    return ports.fetch(`/api/sync/shelves/${path}`, { headers, ...init });
  }

  /**
   * How many such answers in a row broke with no more than their first: this browser, or something on the way, may not
   * take them. A line that breaks now and then lets more through.
   */
  let broken = 0;

  return {
    fetchSegment: (collection, hash, signal) =>
      withIdleTimeout(ports.clock, signal, async (asking, heard) => {
        // It is kept in the database: a second copy in the browser's cache would be written beside it, and never read.
        const response = await get(`${collection}/${hash}`, { signal: asking, cache: 'no-store' });
        if (response.status === 404) return { kind: 'gone' };
        if (response.status === 401) return { kind: 'unauthorized' };
        if (response.status === 403) return { kind: 'refused' };
        if (!response.ok) throw new Error(`segment: status ${response.status}`);
        return { kind: 'bytes', bytes: await readBytes(response, heard) };
      }),
    fetchSegments: (collection, entries, signal, onBytes) =>
      withIdleTimeout(ports.clock, signal, async (asking, heard) => {
        if (broken >= maxBroken) return;
        const names = entries.map(({ hash }) => hash).join();
        let came = 0;
        const onPiece = (bytes: Uint8Array<ArrayBuffer>) => {
          came += 1;
          onBytes(bytes);
        };
        try {
          const response = await get(`${collection}/${names}`, { signal: asking, cache: 'no-store' });
          const sizes = entries.map(({ bytes }) => bytes);
          if (response.ok) await readPieces(response, sizes, { heard, onPiece });
          broken = came < Number(response.headers.get(segmentCount)) ? maxBroken : 0;
        } catch (error) {
          broken = came > 1 ? 0 : broken + 1;
          throw error;
        }
      }),
    fetchManifest: (collection, signal) =>
      withIdleTimeout(ports.clock, signal, async (asking, heard) => {
        // A copy that some cache has may be of another timeline.
        const response = await get(collection, { signal: asking, cache: 'no-cache' });
        if (!response.ok) throw new Error(`manifest: status ${response.status}`);
        return manifestSchema.parse(JSON.parse(new TextDecoder().decode(await readBytes(response, heard))));
      }),
  };
}

async function readBytes(response: Response, heard: () => void): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  await readPieces(response, [], { heard, onPiece: (chunk) => chunks.push(chunk) });
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Gives each piece as soon as it is whole: what came before a connection broke is not lost. The rest as it comes. */
async function readPieces(
  response: Response,
  sizes: readonly number[],
  { heard, onPiece }: { heard(): void; onPiece(bytes: Uint8Array<ArrayBuffer>): unknown },
): Promise<void> {
  const left = [...sizes];
  let piece: Uint8Array<ArrayBuffer> | undefined;
  let filled = 0;
  const take = (chunk: Uint8Array<ArrayBuffer>) => {
    heard();
    for (let rest = chunk; rest.length > 0;) {
      piece ??= new Uint8Array(left.shift() ?? rest.length);
      const part = rest.subarray(0, piece.length - filled);
      piece.set(part, filled);
      filled += part.length;
      rest = rest.subarray(part.length);
      if (filled < piece.length) return;
      onPiece(piece);
      [piece, filled] = [undefined, 0];
    }
  };
  heard();
  if (response.body === null) return take(new Uint8Array(await response.arrayBuffer()));
  const reader = response.body.getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) take(chunk.value);
}
