import { gunzipSync } from 'node:zlib';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPersonDb, openPublicDb, type PersonDb, type CollectionDb } from '../../app/db/person-db.ts';
import { digestBytes } from '../../app/collections/digest-bytes.ts';
import { createCollections } from '../../app/collections/collections-on-device.ts';
import { exchange as exchangeOnDevice } from '../../app/sync/exchange.ts';
import { minute } from '../../shared/lib/durations.ts';
import { must } from '../../shared/lib/must.ts';
import { exchangeAnswerSchema } from '../../shared/protocol/exchange.ts';
import { manifestSchema, unpackSegment } from '../../shared/protocol/segment.ts';
import type { CollectionName } from '../../shared/tables/collections.ts';
import type { Database } from '../../sync-server/db/database.ts';
import { startNewTimeline } from '../../sync-server/db/new-timeline.ts';
import { openPostgres } from '../../sync-server/db/open-postgres.ts';
import { seedMany } from '../../sync-server/db/seed/seed-many.ts';
import { createSqlStore } from '../../sync-server/store/sql-store.ts';
import { createExchange } from '../../sync-server/sync/exchange.ts';
import { openCollections as openServerCollections } from '../../sync-server/collections/collections.ts';
import { cloneTemplate, freshPostgres } from '../../sync-server/testing/test-postgres.ts';

/*
 * [S5, S11] A backup of a real PostgreSQL is restored under devices that had gone on: the device's own collections,
 * packing and apply against the server's own exchange and collections. Each ends with what hand-written SQL says.
 */

const now = Date.parse('2026-11-22T00:00:00.000Z');
const clock = { now: () => now, setTimer: () => () => undefined };
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const photoBase = 'https://photos.example.nz/job-photos/';

type Server = ReturnType<typeof serve>;

function serve(database: Database) {
  let ms = now;
  const parts = { store: createSqlStore(database), clock: () => new Date(ms), log: silent, photoBase };
  const collections = openServerCollections(parts);
  return {
    database,
    collections,
    exchange: createExchange({ ...parts, collections }),
    buildSnapshot: async () => {
      ms += 10 * minute;
      await collections.buildDueSnapshots();
    },
  };
}

let server: Server;
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

/** One browser: what is shared outlives its people. */
function openBrowser() {
  const dexie = { indexedDB: new IDBFactory(), IDBKeyRange };
  const publicDb = openPublicDb(dexie);

  function collectionsFor(person?: { userId: string; db: PersonDb }) {
    return createCollections({
      dbs: { publicDb, ...(person === undefined ? {} : { personDb: person.db }) },
      ...(person === undefined ? {} : { userId: person.userId }),
      clock,
      chance: () => 0.5,
      digest: digestBytes,
      onDenied: async () => undefined,
      log: () => undefined,
      fetchSegment: async (collection, hash) => {
        const segment = await server.collections.segment(collection, hash);
        return segment === undefined
          ? { kind: 'gone' }
          : { kind: 'bytes', bytes: new Uint8Array(gunzipSync(segment.gzip)) };
      },
      fetchManifest: async (collection) =>
        manifestSchema.parse(JSON.parse(JSON.stringify(await server.collections.manifest(collection)))),
    });
  }

  async function signIn(userId: string) {
    const db = openPersonDb(userId, dexie);
    await db.meta.put({ key: 'leader', value: { epoch: 1, beat: 0 } });
    const collections = collectionsFor({ userId, db });
    const ports = {
      db,
      userId,
      clock,
      photoBase,
      collections,
      seemsOnline: () => true,
      session: { isReady: async () => true, refresh: async () => 'refreshed' as const },
      transport: async (request: Parameters<Server['exchange']>[1]) => {
        const answer: unknown = JSON.parse(JSON.stringify(await server.exchange({ userId }, request)));
        return { ok: true as const, answer: exchangeAnswerSchema.parse(answer) };
      },
    };
    return {
      db,
      /** Until nothing is left to ask, as the loop does. */
      sync: async () => {
        for (let round = 0; round < 12; round += 1) {
          const done = await exchangeOnDevice(ports, {
            epoch: 1,
            limit: 500,
            paging: undefined,
            heardOffline: false,
            signal: new AbortController().signal,
          });
          await collections.settled();
          if (done.kind === 'taken' && !done.more && !done.hasMoreToAsk) return;
        }
      },
      logOut: () => db.delete(),
    };
  }

  const visit = async () => {
    const collections = collectionsFor();
    for (const collection of ['directory', 'reference'] as const) {
      await collections.refreshPublic(collection);
      await collections.settled();
    }
  };
  return { publicDb, signIn, visit };
}

/** What a screen merges: the snapshot's rows, and what changed since over them. */
async function rowsOn(db: CollectionDb, collection: CollectionName): Promise<string[]> {
  const state = must(await db.shelfStates.get(collection), `${collection} on the device`);
  const rows = new Map<string, object>();
  for (const { hash } of must(state.manifest, 'a manifest').segments) {
    for (const row of unpackSegment(collection, must(await db.segments.get(hash), hash).text))
      rows.set((row as { id: string }).id, row);
  }
  for (const { id, row } of (await db.fresh.toArray()).filter((entry) => entry.shelf === collection)) {
    if (row === null) rows.delete(id);
    else rows.set(id, row as object);
  }
  return [...rows.values()].map((row) => words(row as Record<string, unknown>)).toSorted();
}

const words = (row: Record<string, unknown>) =>
  `${String(row['id'])} ${String(row['businessName'] ?? row['title'] ?? row['name'])}`;

async function inSql(collection: CollectionName): Promise<string[]> {
  const query = {
    directory: sql<Record<string, unknown>>`select id, business_name as "businessName" from tradies`,
    feed: sql<Record<string, unknown>>`select id, title from jobs where status = 'active'`,
    reference: sql<Record<string, unknown>>`select id, name from reference`,
  }[collection];
  return (await query.execute(server.database.sql)).rows.map(words).toSorted();
}

/**
 * Another timeline: other names, other jobs closed, one row gone and one come. The same number of commits each time.
 */
async function live(word: string, offset: number): Promise<void> {
  const db = server.database.sql;
  await sql`update tradies set business_name = ${word} || ' ' || left(id::text, 8) where id in (select id from tradies order by id offset ${offset} limit 4)`.execute(
    db,
  );
  await sql`update jobs set status = 'closed', closed_at = now() where id in (select id from jobs where status = 'active' order by id offset ${offset} limit 3)`.execute(
    db,
  );
  await sql`update jobs set title = ${word} where id in (select id from jobs where status = 'active' order by id desc offset ${offset} limit 3)`.execute(
    db,
  );
  await sql`insert into reference (id, kind, name, created_at) values (${word}, 'category', ${word}, now())`.execute(
    db,
  );
}

let people: string[];
beforeAll(async () => {
  const { url, drop } = await freshPostgres();
  closing.push(drop);
  const database = await openPostgres({ url });
  const { tradies } = await seedMany(database, { jobs: 60, tradies: 30 });
  people = tradies.slice(0, 2).map(({ userId }) => userId);
  server = serve(database);
  await server.buildSnapshot();

  browsers = {
    stays: openBrowser(),
    returns: openBrowser(),
    visits: openBrowser(),
    switches: openBrowser(),
    before: openBrowser(),
  };
  const [one] = people;
  signedIn = await browsers.stays.signIn(must(one, 'a tradie'));
  const leaving = await Promise.all(
    [browsers.returns, browsers.switches, browsers.before].map((browser) => browser.signIn(must(one, 'a tradie'))),
  );
  const all = async () => {
    for (const device of [signedIn, ...leaving]) await device.sync();
    await browsers.visits.visit();
  };
  await all();

  // PostgreSQL copies only a database without connections.
  await database.close();
  const backup = await cloneTemplate(url);
  closing.push(backup.drop);
  const goneOn = await openPostgres({ url });
  server = serve(goneOn);
  await live('dead', 0);
  await all();
  await server.buildSnapshot();
  await live('forgotten', 8);
  await all();
  for (const device of leaving) await device.logOut();
  // An app of an earlier release stored no timeline.
  for (const collection of ['directory', 'reference'] as const) {
    await browsers.before.publicDb.shelfStates
      .where('shelf')
      .equals(collection)
      .modify((state) => void delete state.timeline);
  }
  await goneOn.close();

  const restored = await openPostgres({ url: backup.url });
  closing.push(restored.close);
  server = serve(restored);
  await restored.transaction(startNewTimeline);
  await server.buildSnapshot();
  await live('anew', 4);
  await live('again', 12);
}, 300_000);

let browsers: Record<'stays' | 'returns' | 'visits' | 'switches' | 'before', ReturnType<typeof openBrowser>>;
let signedIn: Awaited<ReturnType<ReturnType<typeof openBrowser>['signIn']>>;

async function expectAsInSql(publicDb: CollectionDb, db?: PersonDb): Promise<void> {
  for (const [where, collection] of [
    [publicDb, 'directory'],
    [publicDb, 'reference'],
    ...(db === undefined ? [] : [[db, 'feed'] as const]),
  ] as const)
    expect(await rowsOn(where, collection), collection).toEqual(await inSql(collection));
}

test('[S11] a person who stayed signed in, with a cookie of the ended timeline, sees what SQL says', async () => {
  await signedIn.sync();
  await expectAsInSql(browsers.stays.publicDb, signedIn.db);
});

test('[S11] so does a person who signs in again with no cookie, over collections that outlived the log-out', async () => {
  const device = await browsers.returns.signIn(must(people[0], 'a tradie'));
  await device.sync();
  await expectAsInSql(browsers.returns.publicDb, device.db);
});

test('[S11] so does another account on the same browser', async () => {
  const device = await browsers.switches.signIn(must(people[1], 'another tradie'));
  await device.sync();
  await expectAsInSql(browsers.switches.publicDb, device.db);
});

test('[S11] so does a visitor who is signed out, as of the last snapshot', async () => {
  await server.buildSnapshot();
  await browsers.visits.visit();
  await expectAsInSql(browsers.visits.publicDb);
});

test('[S11] so does a browser whose collections an earlier release stored without their timeline', async () => {
  const device = await browsers.before.signIn(must(people[0], 'a tradie'));
  await device.sync();
  await expectAsInSql(browsers.before.publicDb, device.db);
});
