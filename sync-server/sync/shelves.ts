import { sql } from 'kysely';
import type { Delta } from '../../shared/protocol/exchange.ts';
import type { Manifest } from '../../shared/protocol/segment.ts';
import { shelfNames, type ShelfName } from '../../shared/tables/shelves.ts';
import type { Database, Sql } from '../db/database.ts';
import { sealShelf } from './seal.ts';
import { createSegmentCache } from './segment-cache.ts';
import { answerShelf, mayReadShelf } from './shelf-answer.ts';
import type { ShelfPort } from './shelf-port.ts';
import { countChanges, shelfShape } from './shelf-rows.ts';
import { asManifest, readManifest, readSegment, readShelfHeads, type SealedSegment } from './shelf-store.ts';
import type { SyncLog } from './sync-parts.ts';

/** When a shelf is sealed again: so many changed rows, or any at all so many milliseconds after the last time. Looked at every `look`. */
export const sealWhen = { changes: 2_000, ageMs: 2 * 60_000, look: 20_000 } as const;

const memoryBytes = 64 * 1024 * 1024;

export interface Shelves extends ShelfPort {
  /** Seals what is due, then goes on looking until `close`. */
  start(): Promise<void>;
  /** Seals each shelf whose time has come, unless another instance is at it. */
  sealDue(): Promise<void>;
  /** Undefined where the shelf was never sealed yet, or the database's new timeline is about to begin. */
  manifest(shelf: ShelfName): Promise<Manifest | undefined>;
  /** Undefined where there is no such segment on this shelf, or no longer. */
  segment(shelf: ShelfName, hash: string): Promise<SealedSegment | undefined>;
  close(): Promise<void>;
}

export interface ShelvesParts {
  database: Database;
  clock: () => Date;
  log: SyncLog;
  /** Where segments come from that are not in memory; the database, where it is left out. */
  readSegments?: typeof readSegment | undefined;
}

/** The shared, read-only collections, from the server's side. */
export function createShelves({ database, clock, log, readSegments = readSegment }: ShelvesParts): Shelves {
  const caches = Object.fromEntries(shelfNames.map((shelf) => [shelf, createSegmentCache(memoryBytes / shelfNames.length)])) as Record<ShelfName, ReturnType<typeof createSegmentCache>>;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;

  async function sealDue(): Promise<void> {
    for (const shelf of shelfNames) {
      if (!(await isDue(database.sql, shelf, clock()))) continue;
      const begun = performance.now();
      const sealed = await sealShelf({ database, clock }, shelf);
      if (sealed === undefined) continue;
      for (const segment of sealed.added) caches[shelf].put(segment);
      log.info({ shelf, version: sealed.version, segments: sealed.added.length, ms: Math.round(performance.now() - begun) }, 'sealed a shelf');
    }
  }

  function look(): void {
    looking ??= sealDue()
      .catch((error: unknown) => log.error({ err: error }, 'could not seal a shelf; trying again'))
      .finally(() => {
        looking = undefined;
      });
  }

  return {
    sealDue,
    async start() {
      await sealDue();
      timer = setInterval(look, sealWhen.look).unref();
    },
    async close() {
      clearInterval(timer);
      await looking;
    },
    async answer({ sql: tx, actor, asked, timelines, standing, isCookieCurrent, now }) {
      const answers: Record<string, unknown> = {};
      const heads = shelfNames.some((shelf) => asked[shelf] != null) ? await readShelfHeads(tx) : undefined;
      for (const shelf of shelfNames) {
        const version = asked[shelf];
        if (version === undefined) continue;
        answers[shelf] = mayReadShelf(shelf, actor, now)
          ? await answerShelf({ sql: tx, shelf, asked: version, askedTimeline: timelines?.[shelf], isCookieCurrent, standing, shelfHead: heads?.get(shelf) })
          : { denied: true };
      }
      return answers as Delta['shelves'];
    },
    async manifest(shelf) {
      const manifest = await readManifest(database.sql, shelf);
      return manifest.sealedAt === undefined || manifest.timeline === undefined ? undefined : asManifest(manifest, manifest.timeline);
    },
    segment: (shelf, hash) => caches[shelf].get(hash, () => readSegments(database.sql, shelf, hash)),
  };
}

async function isDue(db: Sql, shelf: ShelfName, now: Date): Promise<boolean> {
  const manifest = await readManifest(db, shelf);
  if (manifest.sealedAt === undefined || manifest.shape !== shelfShape(shelf)) return true;
  const changes = await countChanges(db, shelf, manifest.version, sealWhen.changes);
  if (changes >= sealWhen.changes || (changes > 0 && now.getTime() - manifest.sealedAt.getTime() >= sealWhen.ageMs)) return true;
  // Removals from before the floor are forgotten, so a manifest from before it must not be what a device starts from.
  const { rows } = await sql<{ below: boolean }>`select tombstone_floor > ${manifest.version} as below from sync_meta`.execute(db);
  return rows[0]?.below === true;
}
