import { createHash, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { day, minute } from '../../shared/lib/durations.ts';
import { packSegment, rangeKey } from '../../shared/protocol/segment.ts';
import type { CollectionName } from '../../shared/tables/collections.ts';
import { planSnapshot, readRegion, type Piece, type RegionPlan } from './plan-snapshot.ts';
import { cutHead, cutSizes, firstEdge, regionOf, wholeLimit } from './collection-ranges.ts';
import type { Lease, StoredEntry, StoredSegment } from '../store/collection-tables.ts';
import type { ReadTx, SyncStore } from '../store/sync-store.ts';

/**
 * Milliseconds. The lease of an instance that died while building ends after this long; a retired segment stays for
 * devices in mid-download.
 */
export const snapshotTimes = { lease: minute, grace: day } as const;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

interface Packed {
  entry: StoredEntry;
  /** Absent for a segment that stays. */
  text?: string;
}

/**
 * Rows that are in memory at once, or a region's where that has more. Most builds read fewer, and are of one snapshot
 * of the database.
 */
const rowsAtOnce = 20_000;

export interface BuiltSnapshot {
  version: string;
  /** How many segments were not there before. */
  added: number;
}

export interface BuildParts {
  store: SyncStore;
  clock: () => Date;
  /** A collection with more rows is cut by regions, where its rows have one. */
  cutAbove?: number | undefined;
  /** Hears of each segment that was not there before. */
  onAdded?(segment: StoredSegment): void;
}

/**
 * Builds segments for what changed in a collection since its last manifest and switches to a new manifest atomically.
 * One instance at a time: undefined where another one is building.
 *
 * A build that reads much goes some regions at a time, each time in a snapshot of its own, and writes their segments
 * before it reads the next. The manifest has the version of the first: what a later one shows beyond it comes again
 * with the changes since.
 */
export async function buildSnapshot(
  { store, clock, cutAbove = wholeLimit, onAdded }: BuildParts,
  collection: CollectionName,
): Promise<BuiltSnapshot | undefined> {
  const now = clock();
  const id = randomUUID();
  const lease = (): Lease => ({ id, now, until: new Date(clock().getTime() + snapshotTimes.lease) });
  if (!(await store.single.acquireLease(collection, lease()))) return undefined;
  try {
    const { plan, first, later } = await store.snapshot(async (tx) => {
      const planned = await planSnapshot(tx, collection, cutAbove);
      const [batch = [], ...others] = batchesOf(planned.regions);
      return { plan: planned, first: await readRegions(tx, collection, batch), later: others };
    });
    const entries: StoredEntry[] = [];
    let added = 0;
    const tell = (segments: readonly StoredSegment[]) => {
      for (const segment of segments) onAdded?.(segment);
      added += segments.length;
    };
    let segments = await addBatch(store, first, entries);
    for (const regions of later) {
      const isOurs = await store.write(async (tx) => {
        if (!(await tx.extendLease(collection, lease()))) return false;
        for (const segment of segments) await tx.writeSegment(collection, now, segment);
        return true;
      });
      if (!isOurs) return undefined;
      tell(segments);
      segments = await addBatch(store, await store.snapshot((tx) => readRegions(tx, collection, regions)), entries);
    }
    const { version, shape } = plan;
    const isOurs = await store.write(async (tx) => {
      if (!(await tx.switchManifest(collection, lease(), { version, shape, entries }))) return false;
      for (const segment of segments) await tx.writeSegment(collection, now, segment);
      await tx.retireSegments(
        collection,
        entries.map(({ hash }) => hash),
        { now, unreferencedBefore: new Date(now.getTime() - snapshotTimes.grace) },
      );
      return true;
    });
    if (!isOurs) return undefined;
    tell(segments);
    return { version, added };
  } catch (error) {
    await store.single.releaseLease(collection, lease());
    throw error;
  }
}

/** Regions in order, together as long as there is not much to be read in them. */
function batchesOf(regions: readonly RegionPlan[]): RegionPlan[][] {
  const batches: RegionPlan[][] = [];
  let rows = Infinity;
  for (const region of regions) {
    if (rows + region.rows > rowsAtOnce) {
      batches.push([]);
      rows = 0;
    }
    batches.at(-1)?.push(region);
    rows += region.rows;
  }
  return batches;
}

/** Each region is packed before the next is read, so that no more than one is in memory as rows. */
async function readRegions(tx: ReadTx, collection: CollectionName, regions: readonly RegionPlan[]): Promise<Packed[]> {
  const packed: Packed[] = [];
  for (const region of regions)
    packed.push(...packRegion(collection, region.firstEdge, await readRegion(tx, collection, region)));
  return packed;
}

/** Adds the entries; gives the segments that are not there yet. */
async function addBatch(store: SyncStore, packed: readonly Packed[], entries: StoredEntry[]): Promise<StoredSegment[]> {
  entries.push(...packed.map(({ entry }) => entry));
  const kept = await store.single.findSegments(
    packed.filter(({ text }) => text !== undefined).map(({ entry }) => entry.hash),
  );
  const segments: StoredSegment[] = [];
  for (const { entry, text } of packed)
    if (text !== undefined && !kept.has(entry.hash)) segments.push(await compress(entry, text));
  return segments;
}

function packRegion<Name extends CollectionName>(
  collection: Name,
  begin: string,
  pieces: readonly Piece<Name>[],
): Packed[] {
  const packed = pieces.flatMap((piece, at) =>
    packPiece(collection, piece, (rows) => (at === pieces.length - 1 ? cutHead(rows, at === 0) : cutSizes(rows))),
  );
  return packed.map((one, at) => (at === 0 ? { ...one, entry: { ...one.entry, start: begin } } : one));
}

function packPiece<Name extends CollectionName>(
  collection: Name,
  piece: Piece<Name>,
  cut: (rows: number) => number[],
): Packed[] {
  if ('kept' in piece) return [{ entry: piece.kept }];
  if (piece.rows.length === 0) return [];
  let at = 0;
  return cut(piece.rows.length).map((size) => {
    const isFirst = at === 0;
    const rows = piece.rows.slice(at, (at += size));
    const text = packSegment(collection, rows);
    const from = keyOfRow(rows[0]);
    const entry = {
      hash: createHash('sha256').update(text).digest('hex'),
      rows: rows.length,
      bytes: Buffer.byteLength(text),
      from,
      to: keyOfRow(rows.at(-1)),
    };
    const start = isFirst ? piece.start : `${firstEdge(regionOf(piece.start))}${from}`;
    return { entry: { ...entry, start }, text };
  });
}

/** Rows of every collection have an id and an age; the union of their types does not say so. */
const keyOfRow = (row: unknown) => rangeKey(row as { createdAt: string; id: string });

async function compress({ hash, rows, bytes }: StoredEntry, text: string): Promise<StoredSegment> {
  const [br, zipped] = await Promise.all([
    compressBrotli(text, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 7,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
      },
    }),
    compressGzip(text, { level: 6 }),
  ]);
  return { hash, rows, bytes, br, gzip: zipped };
}
