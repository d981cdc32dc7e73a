import { brotliDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import type { Actor } from '../../shared/actor.ts';
import type { ShelfAnswer } from '../../shared/protocol/exchange.ts';
import { must } from '../../shared/lib/must.ts';
import type { ShelfName } from '../../shared/tables/shelves.ts';
import type { Database, Sql } from '../db/database.ts';
import { readHeadVersion } from '../sync/head-version.ts';
import type { ShelfStanding } from '../sync/shelf-port.ts';
import { createShelves, type Shelves } from '../sync/shelves.ts';
import { openShelfDevice, type ShelfDevice } from './shelf-device.ts';

export interface CollectionHarness {
  shelves: Shelves;
  now(): Date;
  /** Moves the server's clock on. */
  pass(ms: number): void;
  /** Seals whatever has changed, however little. */
  seal(): Promise<void>;
  /** One question, as the exchange asks it; from a version of this database's own life, unless said otherwise. */
  ask(shelf: ShelfName, version: string | null, actor?: Actor, from?: AskedFrom): Promise<ShelfAnswer>;
  /** Asks until the device is up to date; it may be a new one. */
  catchUp(device: ShelfDevice, shelf: ShelfName, actor?: Actor): Promise<void>;
  newDevice(shelf: ShelfName): Promise<ShelfDevice>;
  /** What SQL says stands on the feed. */
  feedOracle(): Promise<Map<string, { id: string } & Record<string, unknown>>>;
  /** Every word that leaves the server for this shelf: manifest, segments, and the changes since. */
  everythingSent(shelf: ShelfName): Promise<string>;
}

/** What a request says of its version besides the number. */
export interface AskedFrom {
  /** Undefined: a phone of before, which names none. */
  timeline: string | undefined;
  isCookieCurrent: boolean;
}

export const payingTradie: Actor = { id: '0194b2a0-0000-7000-8000-000000000001', tradieId: '0194b2a0-0000-7000-8000-000000000002', subscriptionStatus: 'active', subscriptionValidUntil: null };

/** Where the database stands, as the exchange reads it. */
export async function readShelfStanding(tx: Sql): Promise<ShelfStanding> {
  const { rows } = await sql<Omit<ShelfStanding, 'head'>>`select lineage as timeline, tombstone_floor as "tombstoneFloor" from sync_meta`.execute(tx);
  return { ...must(rows[0], 'sync_meta'), head: await readHeadVersion(tx) };
}

/** The shelves over a database, with a clock to be moved. */
export function openCollectionHarness(database: Database, clockStart = new Date('2026-11-20T00:00:00.000Z')): CollectionHarness {
  let ms = clockStart.getTime();
  const now = () => new Date(ms);
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const shelves = createShelves({ database, clock: now, log: silent });

  const ask: CollectionHarness['ask'] = (shelf, version, actor = payingTradie, from) =>
    database.transaction(async (tx) => {
      const standing = await readShelfStanding(tx);
      const { timeline, isCookieCurrent } = from ?? { timeline: standing.timeline, isCookieCurrent: false };
      const timelines = timeline === undefined ? {} : { [shelf]: timeline };
      const answers = await shelves.answer({ sql: tx, actor, asked: { [shelf]: version }, timelines, standing, isCookieCurrent, now: now().toISOString() });
      return must(answers[shelf], 'an answer') as ShelfAnswer;
    }, { mode: 'snapshot' });
  const download = async (shelf: ShelfName, hash: string) =>
    brotliDecompressSync(must(await shelves.segment(shelf, hash), `segment ${hash}`).br).toString();
  const catchUp: CollectionHarness['catchUp'] = async (device, shelf, actor) => {
    while (await device.takeIn(await ask(shelf, device.version, actor, { timeline: device.timeline, isCookieCurrent: false }), (hash) => download(shelf, hash)));
  };

  return {
    shelves,
    now,
    pass: (by) => void (ms += by),
    async seal() {
      ms += 10 * 60_000;
      await shelves.sealDue();
    },
    ask,
    catchUp,
    async newDevice(shelf) {
      const device = openShelfDevice(shelf);
      await catchUp(device, shelf);
      return device;
    },
    async feedOracle() {
      const { rows } = await sql<{ id: string } & Record<string, unknown>>`select id, title, description, location_id as "locationId",
        budget_min::float8 as "budgetMin", budget_max::float8 as "budgetMax", urgency, category_id as "categoryId", status, images,
        interest_count as "interestCount", address, suburb, created_at as "createdAt" from jobs where status = 'active'`.execute(database.sql);
      return new Map(rows.map((row) => [row.id, { ...row, createdAt: (row['createdAt'] as Date).toISOString() }]));
    },
    async everythingSent(shelf) {
      const manifest = must(await shelves.manifest(shelf), 'a manifest');
      const segments = await Promise.all(manifest.segments.map(({ hash }) => download(shelf, hash)));
      return [JSON.stringify(manifest), ...segments, JSON.stringify(await ask(shelf, manifest.version))].join('\n');
    },
  };
}
