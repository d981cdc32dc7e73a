import { createHash, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { day } from '../../shared/lib/durations.ts';
import { packSegment, rangeKey } from '../../shared/protocol/segment.ts';
import type { CollectionName } from '../../shared/tables/collections.ts';
import { planSnapshot, type Piece, type SnapshotPlan } from './plan-snapshot.ts';
import { cutHead, cutSizes, firstEdge, regionOf } from './collection-ranges.ts';
import type { Lease, StoredEntry, StoredSegment } from '../store/collection-tables.ts';
import type { SyncStore } from '../store/sync-store.ts';

/**
 * Milliseconds. The lease of an instance that died while building ends after this long; a retired segment stays for
 * devices in mid-download.
 */
export const snapshotTimes = { lease: 60_000, grace: day } as const;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

interface Packed {
  entry: StoredEntry;
  text: string;
}

export interface BuiltSnapshot {
  version: string;
  /** Only those that were not there before. */
  added: StoredSegment[];
}

/**
 * Builds segments for what changed in a collection since its last manifest and switches to a new manifest atomically.
 * One instance at a time: undefined where another one is building.
 */
export async function buildSnapshot(
  { store, clock }: { store: SyncStore; clock: () => Date },
  collection: CollectionName,
): Promise<BuiltSnapshot | undefined> {
  const now = clock();
  const lease: Lease = { id: randomUUID(), now, until: new Date(now.getTime() + snapshotTimes.lease) };
  if (!(await store.single.acquireLease(collection, lease))) return undefined;
  try {
    const { version, shape, regions } = await store.snapshot((tx) => planSnapshot(tx, collection));
    const packed = regions.flatMap((region) => packRegion(collection, region));
    const entries = packed.map(({ entry }) => entry);
    const kept = await store.single.findSegments(entries.map(({ hash }) => hash));
    const added: StoredSegment[] = [];
    for (const { entry, text } of packed) if (!kept.has(entry.hash)) added.push(await compress(entry, text));
    const isOurs = await store.write(async (tx) => {
      if (!(await tx.switchManifest(collection, lease, { version, shape, entries }))) return false;
      for (const segment of added) await tx.writeSegment(collection, now, segment);
      await tx.retireSegments(
        collection,
        entries.map(({ hash }) => hash),
        { now, unreferencedBefore: new Date(now.getTime() - snapshotTimes.grace) },
      );
      return true;
    });
    return isOurs ? { version, added } : undefined;
  } catch (error) {
    await store.single.releaseLease(collection, lease);
    throw error;
  }
}

function packRegion<Name extends CollectionName>(
  collection: Name,
  { firstEdge: begin, pieces }: SnapshotPlan<Name>['regions'][number],
): Packed[] {
  const packed = pieces.flatMap((piece, at) =>
    packPiece(collection, piece, (rows) => (at === pieces.length - 1 ? cutHead(rows, at === 0) : cutSizes(rows))),
  );
  return packed.map(({ entry, text }, at) => ({ entry: at === 0 ? { ...entry, start: begin } : entry, text }));
}

function packPiece<Name extends CollectionName>(
  collection: Name,
  piece: Piece<Name>,
  cut: (rows: number) => number[],
): Packed[] {
  if ('kept' in piece) return [{ entry: piece.kept, text: '' }];
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
