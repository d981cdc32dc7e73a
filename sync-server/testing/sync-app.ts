import { createSqlStore } from '../store/sql-store.ts';
import { createActorCache } from '../sync/actor-cache.ts';
import { openPoke, type Poke } from '../sync/poke.ts';
import { pokeRoutes } from '../sync/poke-route.ts';
import { precomputedSegments } from '../collections/precomputed-segments.ts';
import { collectionRoutes } from '../collections/collection-routes.ts';
import type { Collections } from '../collections/collections.ts';
import { firstFound } from '../http/precomputed-responses.ts';
import type { TokenClaims } from '../ports/deps.ts';
import type { Database } from '../db/database.ts';
import { openTestApp, type TestApp } from './test-app.ts';

export interface SyncApp extends TestApp {
  poke: Poke;
  /** `fetch` as this person; a token is simply the user's id. */
  callAs(userId: string, path: string, init?: RequestInit): Promise<Response>;
}

/** The collection and poke routes inside the real app, where a person's token is their user id. */
export async function openSyncApp({
  database,
  collections,
  clock,
}: {
  database: Database;
  collections: Collections;
  clock: () => Date;
}): Promise<SyncApp> {
  const isId = /^[0-9a-f-]{36}$/;
  const verifyToken = (token: string): Promise<TokenClaims | undefined> =>
    Promise.resolve(isId.test(token) ? { userId: token, email: 'somebody@example.nz' } : undefined);
  const closing = new AbortController();
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const store = createSqlStore(database);
  const poke = openPoke({ store, clock, log: silent });
  await poke.start();
  const deps = { database, clock, verifyToken, anonKey: 'test-anon-key', closing: closing.signal };
  const findActor = createActorCache({ store, clock, poke });
  const pokes = pokeRoutes({ ...deps, poke });
  const routers = [collectionRoutes({ ...deps, store, collections, findActor }), pokes.router];
  const app = await openTestApp(
    { ...deps, embedded: routers },
    { ready: firstFound([precomputedSegments({ ...deps, collections, findActor }), pokes.ready]) },
  );
  return {
    ...app,
    poke,
    callAs: (userId, path, init) =>
      app.call(path, { ...init, headers: { ...init?.headers, authorization: `Bearer ${userId}` } }),
    close: async () => {
      closing.abort();
      await poke.close();
      await app.close();
    },
  };
}
