import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTestId } from '../../shared/testing/make.ts';
import { openCollections } from '../collections/collections.ts';
import type { Database } from '../db/database.ts';
import { openPostgres } from '../db/open-postgres.ts';
import type { Seen } from '../db/notice-restore.ts';
import { headOf } from '../store/sql-changes.ts';
import { createSqlStore } from '../store/sql-store.ts';
import { openSyncHarness, sent, type SyncHarness } from '../testing/sync-harness.ts';
import { openWire, type Wire } from '../testing/wire.ts';
import { createExchange, type Exchange } from './exchange.ts';

let harness: SyncHarness;
let wire: Wire;
let database: Database;
let exchange: Exchange;
/** What a server that polls knows of the database. */
let seen: Seen;
beforeAll(async () => {
  harness = await openSyncHarness('postgres');
  wire = await openWire(harness.db.url ?? '');
  database = await openPostgres({ url: wire.url, poolSize: 1 });
  const store = createSqlStore(database);
  const collections = openCollections({ ...harness.parts, store });
  await collections.buildDueSnapshots();
  exchange = createExchange({ ...harness.parts, store, collections, seen: () => seen });
});
afterAll(async () => {
  await database.close();
  await wire.close();
  await harness.close();
});

/*
 * Most of what a short exchange costs is the waiting for each answer: two processes that go to sleep and are woken. The
 * time of it depends on the machine, the number does not.
 */
test('an exchange that brings one interest asks the database 6 times', async () => {
  const owner = await harness.homeowner();
  const { user } = await harness.tradie({ subscriptionStatus: 'active' });
  const device = harness.device(user, exchange);
  const counts: number[] = [];
  for (let time = 0; time < 8; time += 1) {
    const job = await harness.job(owner);
    const { head, timeline } = await harness.db.sql
      .selectFrom('sync_meta')
      .select(['lineage as timeline', headOf('sync_meta').as('head')])
      .executeTakeFirstOrThrow();
    seen = { head, timeline, known: head };
    await device.sync();
    const before = wire.turns();
    const answer = await harness.ask(
      user,
      {
        cookie: device.cookie,
        mutations: [sent('interest.express', { id: makeTestId(), jobId: job.id })],
        shelves: { feed: '1', directory: '1', reference: '1' },
      },
      exchange,
    );
    expect(answer).toMatchObject({ outcomes: [{ status: 'applied' }], puts: { jobs: [{ id: job.id }] } });
    counts.push(wire.turns() - before);
  }
  expect(counts.slice(-2)).toEqual([6, 6]);
});
