import type { IncomingMessage } from 'node:http';
import { collections as definitions, type CollectionName } from '../../shared/tables/collections.ts';
import type { Deps } from '../ports/deps.ts';
import { bearerOf } from '../http/authenticate.ts';
import type { FindPrecomputed, PrecomputedResponse } from '../http/precomputed-responses.ts';
import type { FindActor } from '../sync/actor-cache.ts';
import { framesHeaders, partHeaders, segmentHeaders, segmentNames } from './segment-headers.ts';
import { mayReadCollection } from './collection-answer.ts';
import type { Collections } from './collections.ts';

export type PrecomputedSegmentDeps = Pick<Deps, 'clock' | 'verifyToken' | 'anonKey'> & {
  collections: Pick<Collections, 'segment' | 'frame'>;
  findActor: FindActor;
};

const address = new RegExp(`^/api/sync/shelves/(${Object.keys(definitions).join('|')})/(${segmentNames})$`);

/** Plain names: a list with preferences is weighed by the route. */
const acceptedIn = (header: string | undefined) =>
  header === undefined || header.includes(';') ? [] : header.split(',').map((name) => name.trim());

/**
 * `GET /api/sync/shelves/:name/:hash[,:hash…]` as a device requests it, with the same rights and the same answer as
 * the route (collection-routes.ts, which answers everything else: other encodings, conditions, errors, segments that
 * are not there).
 */
export function precomputedSegments({
  collections,
  verifyToken,
  anonKey,
  findActor,
  clock,
}: PrecomputedSegmentDeps): FindPrecomputed {
  /** The person's id where they may read the collection. */
  async function readerOf(collection: CollectionName, authorization: string): Promise<string | undefined> {
    const token = bearerOf(authorization);
    const claims = token === undefined || token === anonKey ? undefined : await verifyToken(token);
    if (claims === undefined) return undefined;
    return mayReadCollection(collection, await findActor(claims.userId), clock().toISOString())
      ? claims.userId
      : undefined;
  }

  async function find(
    collection: CollectionName,
    hashes: readonly string[],
    { headers }: IncomingMessage,
    takesFrames: boolean,
  ): Promise<PrecomputedResponse | undefined> {
    const isPublic = definitions[collection].readers === 'public';
    const actorId = isPublic ? undefined : await readerOf(collection, headers.authorization ?? '');
    if (!isPublic && actorId === undefined) return undefined;
    const [hash = ''] = hashes;
    const frames = takesFrames ? await framesOf(collection, hashes) : [];
    const segment = frames.length > 1 ? undefined : await collections.segment(collection, hash);
    if (frames.length <= 1 && segment === undefined) return undefined;
    const given = segment === undefined ? frames.length : 1;
    return {
      headers: {
        ...(segment === undefined ? framesHeaders(collection, given) : segmentHeaders(collection, hash, 'br')),
        ...(given < hashes.length ? partHeaders : {}),
      },
      body: segment?.br ?? Buffer.concat(frames),
      actorId,
    };
  }

  /** Those of the first that are ready. */
  async function framesOf(collection: CollectionName, hashes: readonly string[]): Promise<Uint8Array[]> {
    const frames = await Promise.all(hashes.map((hash) => collections.frame(collection, hash)));
    const missing = frames.indexOf(undefined);
    return frames.slice(0, missing === -1 ? undefined : missing).filter((frame) => frame !== undefined);
  }

  return (req) => {
    const accepted = acceptedIn(req.headers['accept-encoding'] as string | undefined);
    if (req.method !== 'GET' || req.headers['if-none-match'] !== undefined || !accepted.includes('br'))
      return undefined;
    const [, collection, names] = address.exec(req.url ?? '') ?? [];
    const hashes = names?.split(',');
    if (hashes === undefined) return undefined;
    return find(collection as CollectionName, hashes, req, hashes.length > 1 && accepted.includes('zstd'));
  };
}
