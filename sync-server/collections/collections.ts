import { inTurn } from '../../shared/lib/in-turn.ts';
import { minute } from '../../shared/lib/durations.ts';
import type { Delta } from '../../shared/protocol/exchange.ts';
import type { Manifest } from '../../shared/protocol/segment.ts';
import { collectionNames, type CollectionName } from '../../shared/tables/collections.ts';
import { buildSnapshot } from './build-snapshot.ts';
import { createSegmentCache } from './segment-cache.ts';
import { createSegmentFrames } from './segment-frames.ts';
import { answerCollection, mayReadCollection } from './collection-answer.ts';
import type { CollectionPort } from '../sync/collection-port.ts';
import type { CollectionReads, ReadManifest, StoredSegment } from '../store/collection-tables.ts';
import type { SingleCalls, SyncStore } from '../store/sync-store.ts';
import { asManifest, rowsIn } from './as-manifest.ts';
import { heldWholeUpTo as usualLimit, wholeLimit } from './collection-ranges.ts';
import { collectionShape } from './collection-rows.ts';
import type { SyncLog } from '../sync/sync-parts.ts';

/**
 * When a collection's snapshot is built again: so many changed rows, or any at all so many milliseconds after the last
 * time. Checked every `look`.
 */
export const snapshotSchedule = { changes: 2_000, ageMs: 2 * minute, look: 20_000 } as const;

const memoryBytes = 64 * 1024 * 1024;

export interface Collections extends CollectionPort {
  /** Builds the snapshots that are due, then goes on checking until `close`. */
  start(): Promise<void>;
  /** Builds the snapshot of each collection that is due, unless another instance is building it. */
  buildDueSnapshots(): Promise<void>;
  /** Undefined before the collection's first snapshot, and while the database's new timeline is about to begin. */
  manifest(collection: CollectionName): Promise<Manifest | undefined>;
  /** Undefined where the collection has no such segment, or no longer. */
  segment(collection: CollectionName, hash: string): Promise<StoredSegment | undefined>;
  /** The segment as a zstd frame; undefined where that is not ready. */
  frame(collection: CollectionName, hash: string): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

export interface CollectionsParts {
  store: SyncStore;
  clock: () => Date;
  log: SyncLog;
  /** Where segments come from that are not in memory; the store, where it is left out. */
  readSegment?: SingleCalls['readSegment'] | undefined;
  /** A feed with more rows is held by devices in part. */
  heldWholeUpTo?: number | undefined;
}

/** The shared, read-only collections, from the server's side. */
export function openCollections({
  store,
  clock,
  log,
  readSegment = store.single.readSegment,
  heldWholeUpTo = usualLimit,
}: CollectionsParts): Collections {
  const cutAbove = Math.min(wholeLimit, heldWholeUpTo);
  /** As last read: the list of a large collection is read once each time it changes, not for each device. */
  const manifests = new Map<CollectionName, ReadManifest & { rows: number }>();
  async function readManifest(tx: Pick<CollectionReads, 'readManifest'>, collection: CollectionName) {
    const known = manifests.get(collection);
    const manifest = await tx.readManifest(collection, known);
    const rows = manifest.entries === known?.entries ? known.rows : rowsIn(manifest.entries);
    manifests.set(collection, { ...manifest, rows });
    return manifest;
  }
  const caches = Object.fromEntries(
    collectionNames.map((collection) => [collection, createSegmentCache(memoryBytes / collectionNames.length)]),
  ) as Record<CollectionName, ReturnType<typeof createSegmentCache>>;
  const frames = createSegmentFrames(memoryBytes / 2, (error) =>
    log.error({ err: error }, 'could not compress a segment; it goes out alone'),
  );
  const segment = (collection: CollectionName, hash: string) =>
    caches[collection].get(hash, () => readSegment(collection, hash));
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;

  async function buildDueSnapshots(): Promise<void> {
    for (const collection of collectionNames) {
      if (!(await isDue(store, collection, await readManifest(store.single, collection), clock()))) continue;
      const begun = performance.now();
      const onAdded = (segment: StoredSegment) => {
        caches[collection].put(segment);
        frames.of(segment);
      };
      const snapshot = await buildSnapshot({ store, clock, cutAbove, onAdded }, collection);
      if (snapshot === undefined) continue;
      log.info(
        {
          shelf: collection,
          version: snapshot.version,
          segments: snapshot.added,
          ms: Math.round(performance.now() - begun),
        },
        'built a snapshot',
      );
    }
  }

  function look(): void {
    looking ??= buildDueSnapshots()
      .catch((error: unknown) => log.error({ err: error }, 'could not build a snapshot; trying again'))
      .finally(() => {
        looking = undefined;
      });
  }

  return {
    buildDueSnapshots,
    async start() {
      await buildDueSnapshots();
      timer = setInterval(look, snapshotSchedule.look).unref();
    },
    async close() {
      clearInterval(timer);
      await looking;
    },
    async answer({ tx, actor, asked, timelines, regions, position, isCookieCurrent, now }) {
      const heads = collectionNames.some((collection) => asked[collection] != null)
        ? await tx.readCollectionHeads()
        : undefined;
      const answerOf = (collection: CollectionName, version: string | null) =>
        mayReadCollection(collection, actor, now)
          ? answerCollection({
              tx,
              collection,
              actor,
              asked: version,
              askedTimeline: timelines?.[collection],
              regions,
              isCookieCurrent,
              position,
              collectionHead: heads?.get(collection),
              readManifest: () => readManifest(tx, collection),
              lastRows: manifests.get(collection)?.rows ?? 0,
              heldWholeUpTo,
            })
          : Promise.resolve({ denied: true as const });
      const named = collectionNames.flatMap((collection) => {
        const version = asked[collection];
        return version === undefined ? [] : [{ collection, answer: answerOf(collection, version) }];
      });
      const answers = await inTurn(...named.map(({ answer }) => answer));
      return Object.fromEntries(named.map(({ collection }, at) => [collection, answers[at]])) as Delta['shelves'];
    },
    async manifest(collection) {
      const manifest = await readManifest(store.single, collection);
      return manifest.builtAt === undefined || manifest.timeline === undefined
        ? undefined
        : asManifest(manifest, manifest.timeline);
    },
    segment,
    frame: async (collection, hash) => {
      const found = await segment(collection, hash);
      return found === undefined ? undefined : frames.of(found);
    },
  };
}

async function isDue(
  { single }: SyncStore,
  collection: CollectionName,
  manifest: ReadManifest,
  now: Date,
): Promise<boolean> {
  if (manifest.builtAt === undefined || manifest.shape !== collectionShape(collection)) return true;
  const changes = await single.countChanges(collection, manifest.version, snapshotSchedule.changes);
  if (
    changes >= snapshotSchedule.changes ||
    (changes > 0 && now.getTime() - manifest.builtAt.getTime() >= snapshotSchedule.ageMs)
  )
    return true;
  // Removals from before the floor are purged, so a manifest from before it must not be what a device starts from.
  return single.isBelowFloor(manifest.version);
}
