import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { seedMany } from '../db/seed/seed-many.ts';
import { createSqlStore } from '../store/sql-store.ts';
import { openTestDb, type TestDatabase } from '../testing/test-db.ts';
import { readFromReplica } from './read-from-replica.ts';
import { openCollections, type Collections } from './collections.ts';

let primary: TestDatabase;
let replica: TestDatabase;
const warned: string[] = [];
const log = {
  info: () => undefined,
  warn: (_details: unknown, text?: unknown) => void warned.push(String(text)),
  error: () => undefined,
};

beforeAll(async () => {
  primary = await openTestDb('postgres');
  replica = await openTestDb('postgres');
  await seedMany(primary, { jobs: 600, tradies: 2 });
  await openCollections({ store: createSqlStore(primary), clock: () => new Date(), log }).buildDueSnapshots();
});
afterAll(async () => {
  await primary.close();
  await replica.close();
});

/** An instance that has nothing in memory yet. */
const open = (database = replica): Collections => {
  const store = createSqlStore(primary);
  return openCollections({
    store,
    clock: () => new Date(),
    log,
    readSegment: readFromReplica(createSqlStore(database).single.readSegment, store.single.readSegment, log),
  });
};
const firstHash = async () => must((await open().manifest('feed'))?.segments[0], 'a segment').hash;

it('P9: a replica that lags behind, or has nothing at all, costs a query and never a segment', async () => {
  const hash = await firstHash();
  const truth = await openCollections({ store: createSqlStore(primary), clock: () => new Date(), log }).segment(
    'feed',
    hash,
  );
  expect(await open().segment('feed', hash)).toEqual(truth);
  expect(await open().segment('feed', '0'.repeat(64))).toBeUndefined();
});

it('P9: what the replica has is read there', async () => {
  const hash = await firstHash();
  await sql`insert into shelf_segment (hash, shelf, rows, bytes, body_br, body_gzip, sealed_at) values (${hash}, 'feed', 7, 7, '\\x01', '\\x02', now())`.execute(
    replica.sql,
  );
  expect(await open().segment('feed', hash)).toMatchObject({ rows: 7 });
});

it('S3: manifests are never read from the replica', async () => {
  await sql`insert into shelf_manifest (shelf, version, shape, segments, sealed_at) values ('feed', 999999, '', '[]', now())`.execute(
    replica.sql,
  );
  const { version } = must(await open().manifest('feed'), 'the manifest');
  expect(version).not.toBe('999999');
});

it('a replica that is away is passed over', async () => {
  const hash = await firstHash();
  const away = {
    ...replica,
    sql: replica.sql.withPlugin({
      transformQuery: () => {
        throw Object.assign(new Error('away'), { code: '08006' });
      },
      transformResult: ({ result }) => Promise.resolve(result),
    }),
  };
  expect((await open(away).segment('feed', hash))?.hash).toBe(hash);
  expect(warned).toContain('the replica does not answer; reading from the primary');
});
