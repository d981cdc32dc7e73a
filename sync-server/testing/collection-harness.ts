import { brotliDecompressSync } from 'node:zlib';
import { sql as rawSql } from 'kysely';
import type { Actor } from '../../shared/actor.ts';
import { minute } from '../../shared/lib/durations.ts';
import type { CollectionAnswer } from '../../shared/protocol/exchange.ts';
import { must } from '../../shared/lib/must.ts';
import type { CollectionName } from '../../shared/tables/collections.ts';
import type { Database, Sql } from '../db/database.ts';
import { createSqlStore, sqlTx } from '../store/sql-store.ts';
import type { CollectionPosition } from '../sync/collection-port.ts';
import { openCollections, type Collections } from '../collections/collections.ts';
import { createCollectionDevice, type CollectionDevice } from './collection-device.ts';

export interface CollectionHarness {
  collections: Collections;
  now(): Date;
  /** Moves the server's clock on. */
  pass(ms: number): void;
  /** Builds snapshots of whatever has changed, however little. */
  buildSnapshot(): Promise<void>;
  /** One question, as the exchange asks it; from a version of this database's timeline, unless said otherwise. */
  ask(collection: CollectionName, version: string | null, actor?: Actor, from?: AskedFrom): Promise<CollectionAnswer>;
  /** Asks until the device is up to date; it may be a new one. */
  catchUp(device: CollectionDevice, collection: CollectionName, actor?: Actor): Promise<void>;
  /** `wants`: an app that holds regions, and wants these besides its person's own. */
  newDevice(collection: CollectionName, actor?: Actor, wants?: readonly string[]): Promise<CollectionDevice>;
  /** The feed's rows, by a query of its own. */
  feedOracle(): Promise<Map<string, { id: string } & Record<string, unknown>>>;
  /** Every text that leaves the server for this collection: manifest, segments, and the changes since. */
  everythingSent(collection: CollectionName): Promise<string>;
}

/** What a request sends with its version. */
export interface AskedFrom {
  /** Undefined: an older app, which names none. */
  timeline: string | undefined;
  isCookieCurrent: boolean;
  /** Undefined: an app that holds all. */
  regions?: readonly string[] | undefined;
}

export const payingTradie: Actor = {
  id: '0194b2a0-0000-7000-8000-000000000001',
  tradieId: '0194b2a0-0000-7000-8000-000000000002',
  subscriptionStatus: 'active',
  subscriptionValidUntil: null,
};

/** The database's position, as the exchange reads it. */
export async function readCollectionPosition(tx: Sql): Promise<CollectionPosition> {
  const { rows } = await rawSql<
    Omit<CollectionPosition, 'head'>
  >`select lineage as timeline, tombstone_floor as "tombstoneFloor" from sync_meta`.execute(tx);
  return { ...must(rows[0], 'sync_meta'), head: await sqlTx(tx).readHead() };
}

/** The collections over a database, with a clock to be moved. */
export function createCollectionHarness(
  database: Database,
  clockStart = new Date('2026-11-20T00:00:00.000Z'),
  heldWholeUpTo?: number,
): CollectionHarness {
  let ms = clockStart.getTime();
  const now = () => new Date(ms);
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const collections = openCollections({ store: createSqlStore(database), clock: now, log: silent, heldWholeUpTo });

  const ask: CollectionHarness['ask'] = (collection, version, actor = payingTradie, from) =>
    database.transaction(
      async (tx) => {
        const position = await readCollectionPosition(tx);
        const { timeline, isCookieCurrent, regions } = from ?? {
          timeline: position.timeline,
          isCookieCurrent: false,
          regions: undefined,
        };
        const timelines = timeline === undefined ? {} : { [collection]: timeline };
        const answers = await collections.answer({
          tx: sqlTx(tx),
          actor,
          asked: { [collection]: version },
          timelines,
          ...(regions !== undefined && { regions: [...regions] }),
          position,
          isCookieCurrent,
          now: now().toISOString(),
        });
        return must(answers[collection], 'an answer') as CollectionAnswer;
      },
      { mode: 'snapshot' },
    );
  const download = async (collection: CollectionName, hash: string) =>
    brotliDecompressSync(must(await collections.segment(collection, hash), `segment ${hash}`).br).toString();
  const catchUp: CollectionHarness['catchUp'] = async (device, collection, actor) => {
    while (
      await device.apply(
        await ask(collection, device.version, actor, {
          timeline: device.timeline,
          isCookieCurrent: false,
          regions: device.asks(),
        }),
        (hash) => download(collection, hash),
      )
    );
  };

  return {
    collections,
    now,
    pass: (by) => void (ms += by),
    async buildSnapshot() {
      ms += 10 * minute;
      await collections.buildDueSnapshots();
    },
    ask,
    catchUp,
    async newDevice(collection, actor, wants) {
      const device = createCollectionDevice(collection);
      device.wants = wants;
      await catchUp(device, collection, actor);
      return device;
    },
    async feedOracle() {
      const { rows } = await rawSql<
        { id: string } & Record<string, unknown>
      >`select id, title, description, location_id as "locationId",
        budget_min::float8 as "budgetMin", budget_max::float8 as "budgetMax", urgency, category_id as "categoryId", status, images,
        interest_count as "interestCount", address, suburb, created_at as "createdAt" from jobs where status = 'active'`.execute(
        database.sql,
      );
      return new Map(rows.map((row) => [row.id, { ...row, createdAt: (row['createdAt'] as Date).toISOString() }]));
    },
    async everythingSent(collection) {
      const manifest = must(await collections.manifest(collection), 'a manifest');
      const segments = await Promise.all(manifest.segments.map(({ hash }) => download(collection, hash)));
      return [JSON.stringify(manifest), ...segments, JSON.stringify(await ask(collection, manifest.version))].join(
        '\n',
      );
    },
  };
}
