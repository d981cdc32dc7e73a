import type Router from '@koa/router';
import { hour } from '../shared/lib/durations.ts';
import type { Database } from './db/database.ts';
import { shareOf } from './db/share-of.ts';
import type { Deps } from './ports/deps.ts';
import { firstFound, type FindPrecomputed } from './http/precomputed-responses.ts';
import { createExchangeLimit } from './sync/exchange-limit.ts';
import { createExchange, type Exchange } from './sync/exchange.ts';
import { exchangeRoute, type ExchangeDeps } from './sync/exchange-route.ts';
import { createActorCache } from './sync/actor-cache.ts';
import { openPoke, type Poke } from './sync/poke.ts';
import { pokeRoutes } from './sync/poke-route.ts';
import { openSafePoints, type SafeSource } from './store/safe-point.ts';
import { purgeTombstones } from './sync/purge-tombstones.ts';
import { createSqlStore } from './store/sql-store.ts';
import { readFromReplica } from './collections/read-from-replica.ts';
import { precomputedSegments } from './collections/precomputed-segments.ts';
import { collectionRoutes } from './collections/collection-routes.ts';
import { openCollections, type Collections } from './collections/collections.ts';

export interface Sync {
  readonly exchange: Exchange;
  readonly collections: Collections;
  readonly poke: Poke;
  /** `POST /api/sync`, the poke, the collections. */
  readonly routers: readonly Router[];
  /** Segments, and streams of pokes, as devices request them. */
  readonly ready: FindPrecomputed;
  /** Stops listening, building snapshots and purging. Before the database is closed. */
  close(): Promise<void>;
}

/** Milliseconds between two purges of old removals. Any instance may do it. */
const purgeEvery = 6 * hour;
/**
 * The pool has ten connections (`db/open-postgres.ts`): what devices are sent unasked never takes those that exchanges
 * need.
 */
const carryingTransactions = 2;

export type OpenSyncParts = Pick<
  Deps,
  'database' | 'clock' | 'log' | 'findFiles' | 'jobsPerDay' | 'verifyToken' | 'anonKey' | 'closing'
> &
  Pick<ExchangeDeps, 'observe'> & {
    /** A replica from which segments may be read instead of the primary. */
    replica?: Database | undefined;
    /** A feed with more jobs is held by devices in part. */
    heldWholeUpTo?: number | undefined;
    /** What lets a change outlive the loss of the database; undefined: nothing does. */
    safeBy?: SafeSource | undefined;
  };

/** The server's half of sync, assembled and running. One to an instance. */
export async function openSync(deps: OpenSyncParts): Promise<Sync> {
  const { log, clock } = deps;
  const store = createSqlStore(deps.database, deps.findFiles);
  const collections = openCollections({
    store,
    clock,
    log,
    heldWholeUpTo: deps.heldWholeUpTo,
    readSegment:
      deps.replica && readFromReplica(createSqlStore(deps.replica).single.readSegment, store.single.readSegment, log),
  });
  const carrying = { store: createSqlStore(shareOf(deps.database, carryingTransactions)), collections };
  const poke = openPoke({ store, clock, log, carrying });
  const safePoints = await openSafePoints(deps.database, deps.safeBy, log);
  const exchange = poke.watching(
    createExchange({
      ...deps,
      store,
      collections,
      headVersion: poke.freshHead,
      seen: poke.seen,
      onDecided: poke.look,
      safe: safePoints.safe,
      limit: createExchangeLimit(deps),
    }),
  );
  await poke.start();
  await collections.start();
  const pokes = pokeRoutes({ ...deps, poke });
  const findActor = createActorCache({ store, clock, poke });
  let purging: Promise<void> = Promise.resolve();
  const purge = () => {
    purging = purgeTombstones({ store, clock, log }).catch((error: unknown) =>
      log.error({ err: error }, 'could not forget old removals; trying again'),
    );
  };
  purge();
  const timer = setInterval(purge, purgeEvery).unref();
  return {
    exchange,
    collections,
    poke,
    routers: [
      exchangeRoute({ ...deps, exchange }),
      pokes.router,
      collectionRoutes({ ...deps, store, collections, findActor }),
    ],
    ready: firstFound([precomputedSegments({ ...deps, collections, findActor }), pokes.ready]),
    async close() {
      clearInterval(timer);
      safePoints.close();
      await Promise.all([poke.close(), collections.close(), purging]);
    },
  };
}
