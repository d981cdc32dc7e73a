import { must } from '../../shared/lib/must.ts';
import type { CollectionName, CollectionRow } from '../../shared/tables/collections.ts';
import type { StoredEntry } from '../store/collection-tables.ts';
import type { ReadTx } from '../store/sync-store.ts';
import { joinRanges, rangeOf, type Range } from './collection-ranges.ts';
import { collectionShape, readChangedKeys, readRowsBetween } from './collection-rows.ts';

/** A range that stays as it is, or the rows of one that is to be built anew. */
export type Piece<Name extends CollectionName> = { kept: StoredEntry } | { start: string; rows: CollectionRow<Name>[] };

export interface SnapshotPlan<Name extends CollectionName> {
  version: string;
  shape: string;
  /** Oldest first. */
  pieces: Piece<Name>[];
}

interface Part<Name extends CollectionName> extends Range {
  /** The range's current segment; undefined for a collection's very first range. */
  entry: StoredEntry | undefined;
  /** Undefined where nothing in it changed: then it was not read. */
  changedRows: CollectionRow<Name>[] | undefined;
}

/**
 * Finds, in one read transaction, the ranges of the collection whose segments have to be built anew. Ranges in which
 * nothing changed are not even read.
 */
export async function planSnapshot<Name extends CollectionName>(
  tx: ReadTx,
  collection: Name,
): Promise<SnapshotPlan<Name>> {
  const manifest = await tx.readManifest(collection);
  const version = await tx.readHead();
  const shape = collectionShape(collection);
  const ranges: (Range & { entry: StoredEntry | undefined })[] = manifest.entries.map((entry) => ({
    start: entry.start,
    rows: entry.rows,
    entry,
  }));
  if (ranges.length === 0) ranges.push({ start: '', rows: 0, entry: undefined });

  const everything = new Set(ranges.keys());
  let changed = everything;
  if (manifest.shape === shape && manifest.version !== '0') {
    const keys = await readChangedKeys(tx, collection, manifest.version);
    // Where a row is gone for good, its range is unknown.
    changed = keys.includes(undefined) ? everything : new Set(keys.map((key) => rangeOf(ranges, must(key, 'a key'))));
  }
  let parts = await readParts(tx, collection, ranges, changed);
  // A row that moved out of a range unseen (its createdAt was rewritten by hand) would be counted twice: then all is
  // read again.
  if (total(parts) !== (await tx.countCollectionRows(collection)))
    parts = await readParts(tx, collection, ranges, everything);

  const pieces: Piece<Name>[] = [];
  for (const [from, to] of joinRanges(parts))
    pieces.push(await joinParts(tx, collection, parts.slice(from, to + 1), parts[to + 1]?.start));
  return { version, shape, pieces };
}

const total = (parts: readonly Range[]) => parts.reduce((sum, { rows }) => sum + rows, 0);

async function readParts<Name extends CollectionName>(
  tx: ReadTx,
  collection: Name,
  ranges: readonly (Range & { entry: StoredEntry | undefined })[],
  changed: ReadonlySet<number>,
): Promise<Part<Name>[]> {
  const parts: Part<Name>[] = [];
  for (const [at, range] of ranges.entries()) {
    const changedRows = changed.has(at)
      ? await readRowsBetween(tx, collection, { from: range.start, to: ranges[at + 1]?.start })
      : undefined;
    parts.push({ ...range, rows: changedRows?.length ?? range.rows, changedRows });
  }
  return parts;
}

async function joinParts<Name extends CollectionName>(
  tx: ReadTx,
  collection: Name,
  parts: readonly Part<Name>[],
  to: string | undefined,
): Promise<Piece<Name>> {
  const { start } = must(parts[0], 'a range');
  const filled = parts.filter(({ rows }) => rows > 0);
  const only = filled.length === 1 ? filled[0] : undefined;
  // An emptied neighbour leaves nothing behind but its place.
  if (only?.changedRows === undefined && only?.entry !== undefined) return { kept: { ...only.entry, start } };
  const known = filled.every(({ changedRows }) => changedRows !== undefined);
  const rows = known
    ? filled.flatMap(({ changedRows }) => changedRows ?? [])
    : await readRowsBetween(tx, collection, { from: start, to });
  return { start, rows };
}
