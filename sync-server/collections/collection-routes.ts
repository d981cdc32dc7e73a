import { gunzipSync } from 'node:zlib';
import { createHash } from 'node:crypto';
import Router from '@koa/router';
import type { Context } from 'koa';
import { collectionNames, collections as definitions, type CollectionName } from '../../shared/tables/collections.ts';
import type { Deps } from '../ports/deps.ts';
import type { SyncStore } from '../store/sync-store.ts';
import { authenticate } from '../http/authenticate.ts';
import { forbidden, notFound, signInNeeded, unavailable } from '../http/http-problem.ts';
import { findActors } from '../sync/find-actors.ts';
import type { FindActor } from '../sync/actor-cache.ts';
import { partHeaders, segmentHeaders, segmentNames } from './segment-headers.ts';
import { mayReadCollection } from './collection-answer.ts';
import type { Collections } from './collections.ts';

export type CollectionDeps = Pick<Deps, 'clock' | 'verifyToken' | 'anonKey'> & {
  store: SyncStore;
  collections: Collections;
  findActor: FindActor;
};

/**
 * The collections for devices that have none yet, and for signed-out visitors (P9).
 *
 * - `GET /api/sync/shelves/:name`: the manifest, `{ version, timeline, segments }`, each segment `{ hash, rows, bytes,
 *   from, to, region? }`, newest first and alike for all readers: a person's own regions come first in an exchange.
 *   Strong ETag, answers 304. 503 with Retry-After before the collection's first snapshot.
 * - `GET /api/sync/shelves/:name/:hash`: one segment as JSON text, brotli or gzip as the client accepts it; immutable,
 * the same bytes
 *   for every client. 404 where there is no such segment or it was retired long ago.
 * - `GET /api/sync/shelves/:name/:hash,:hash…`, 16 at most: the texts of the first and of as many after it as are
 *   ready, one after the other. `bytes` in the manifest says where each ends.
 *
 * The feed needs a running subscription: 401 `sign-in-needed` without a session, 403 `subscription-required` without a
 * subscription.
 */
export function collectionRoutes(deps: CollectionDeps): Router {
  const router = new Router({ prefix: '/api/sync/shelves' });

  router.get('/:name', async (ctx) => {
    const collection = await readableCollection(ctx, deps, async (userId) =>
      (await findActors(deps.store, [userId])).get(userId),
    );
    const manifest = await deps.collections.manifest(collection);
    if (manifest === undefined) throw unavailable('This list is being put together. Try again in a moment.');
    const text = JSON.stringify(manifest);
    const isPublic = definitions[collection].readers === 'public';
    // A manifest is revalidated each time, with 304 as a rule: an older one out of a cache could be of a timeline that
    // has ended.
    ctx.set('Cache-Control', isPublic ? 'public, no-cache' : 'private, no-cache');
    if (!isPublic) ctx.vary('Authorization');
    answer(ctx, createHash('sha256').update(text).digest('hex'), text);
  });

  router.get('/:name/:hash', async (ctx) => {
    // A new device requests some fifty: rights from the cache are milliseconds old, and the segments they open were
    // readable before.
    const collection = await readableCollection(ctx, deps, deps.findActor);
    // Several together are for precomputed-segments.ts; here the first is the answer, and the rest is asked for again.
    const names = String(ctx['params']['hash']);
    const hash = names.slice(0, 64);
    const segment = named.test(names) ? await deps.collections.segment(collection, hash) : undefined;
    if (segment === undefined) throw notFound('There is no such segment, or it is no longer in use');
    // Browsers name brotli last, which is not a preference.
    const encoding =
      ctx.acceptsEncodings('br') === 'br'
        ? 'br'
        : ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
          ? 'gzip'
          : 'identity';
    const { ETag: etag, ...headers } = segmentHeaders(collection, hash, encoding);
    ctx.set({ ...headers, ...(names === hash ? {} : partHeaders) });
    answer(ctx, etag.slice(1, -1), encoding === 'identity' ? gunzipSync(segment.gzip) : segment[encoding]);
  });
  return router;
}

const named = new RegExp(`^${segmentNames}$`);

async function readableCollection(ctx: Context, deps: CollectionDeps, findActor: FindActor): Promise<CollectionName> {
  const collection = collectionNames.find((name) => name === ctx['params']['name']);
  if (collection === undefined) throw notFound('There is no such shelf');
  if (definitions[collection].readers === 'public') return collection;
  const claims = await authenticate(ctx, deps);
  if (claims === undefined) throw signInNeeded();
  const actor = await findActor(claims.userId);
  if (!mayReadCollection(collection, actor, deps.clock().toISOString()))
    throw forbidden('Jobs are for tradies with a running subscription.', 'subscription-required');
  return collection;
}

function answer(ctx: Context, etag: string, body: string | Uint8Array): void {
  ctx.status = 200;
  ctx.type = 'application/json';
  ctx.set('ETag', `"${etag}"`);
  // `ctx.fresh` is not used: it takes `Cache-Control: no-cache`, which fetch adds to every conditional request, for a
  // request without a condition.
  if (namesEtag(ctx.get('If-None-Match'), etag)) {
    ctx.status = 304;
    ctx.remove('Content-Encoding');
    return;
  }
  ctx.body = typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  // Setting bytes as a body makes Koa guess a type anew.
  ctx.type = 'application/json';
}

function namesEtag(header: string, etag: string): boolean {
  return header.split(',').some((named) => named.trim().replace(/^W\//, '') === `"${etag}"`);
}
