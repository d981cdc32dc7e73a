import type { IncomingMessage } from 'node:http';
import { collections as definitions, type CollectionName } from '../../shared/tables/collections.ts';
import type { Deps } from '../ports/deps.ts';
import { bearerOf } from '../http/authenticate.ts';
import type { FindPrecomputed, PrecomputedResponse } from '../http/precomputed-responses.ts';
import type { FindActor } from '../sync/actor-cache.ts';
import { segmentHeaders } from './segment-headers.ts';
import { mayReadCollection } from './collection-answer.ts';
import type { Collections } from './collections.ts';

export type PrecomputedSegmentDeps = Pick<Deps, 'clock' | 'verifyToken' | 'anonKey'> & {
  collections: Pick<Collections, 'segment'>;
  findActor: FindActor;
};

const address = new RegExp(`^/api/sync/shelves/(${Object.keys(definitions).join('|')})/([0-9a-f]{64})$`);

/** `br` among plain names: a list with preferences is weighed by the route. */
const acceptsBrotli = (header: string | undefined) =>
  header !== undefined && !header.includes(';') && header.split(',').some((name) => name.trim() === 'br');

/**
 * `GET /api/sync/shelves/:name/:hash` as a device requests it, with the same rights and the same answer as the route
 * (collection-routes.ts, which answers everything else: other encodings, conditions, errors, missing segments).
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
    hash: string,
    { headers }: IncomingMessage,
  ): Promise<PrecomputedResponse | undefined> {
    const isPublic = definitions[collection].readers === 'public';
    const actorId = isPublic ? undefined : await readerOf(collection, headers.authorization ?? '');
    if (!isPublic && actorId === undefined) return undefined;
    const segment = await collections.segment(collection, hash);
    return segment && { headers: segmentHeaders(collection, hash, 'br'), body: segment.br, actorId };
  }

  return (req) => {
    if (
      req.method !== 'GET' ||
      req.headers['if-none-match'] !== undefined ||
      !acceptsBrotli(req.headers['accept-encoding'] as string | undefined)
    )
      return undefined;
    const [, collection, hash] = address.exec(req.url ?? '') ?? [];
    return hash === undefined ? undefined : find(collection as CollectionName, hash, req);
  };
}
