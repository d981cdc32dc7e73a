import { rangeKey } from '../../shared/protocol/segment.ts';
import {
  collections,
  type CollectionDefinition,
  type CollectionName,
  type CollectionRow,
} from '../../shared/tables/collections.ts';
import { must } from '../../shared/lib/must.ts';
import type { ReadManifest, StoredEntry } from '../store/collection-tables.ts';
import type { ReadTx } from '../store/sync-store.ts';
import { firstEdge, joinRanges, rangeOf, regionOf, type Range } from './collection-ranges.ts';
import { collectionShape, readRowsBetween } from './collection-rows.ts';

/** A range that stays as it is, or the rows of one that is to be built anew. */
export type Piece<Name extends CollectionName> = { kept: StoredEntry } | { start: string; rows: CollectionRow<Name>[] };

export interface SnapshotPlan {
  version: string;
  shape: string;
  /** Each region, or one for the whole collection, in order. */
  regions: RegionPlan[];
}

export interface RegionPlan {
  firstEdge: string;
  /** Oldest first. */
  ranges: Known[];
  /** Those of them that have to be read. */
  changed: ReadonlySet<Known>;
  /** About how many rows that is. */
  rows: number;
}

interface Known extends Range {
  /** The range's current segment; undefined where it has none yet. */
  readonly entry: StoredEntry | undefined;
}

interface Part<Name extends CollectionName> extends Known {
  /** Undefined where nothing in it changed: then it was not read. */
  changedRows: CollectionRow<Name>[] | undefined;
}

/**
 * Finds, in one read transaction, the ranges of the collection whose segments have to be built anew. Of a collection
 * that is cut by regions already, only regions in which something changed are looked at. `cutAbove`: with more rows it
 * is cut.
 */
export async function planSnapshot(tx: ReadTx, collection: CollectionName, cutAbove: number): Promise<SnapshotPlan> {
  const manifest = await tx.readManifest(collection);
  const version = await tx.readHead();
  const shape = collectionShape(collection);
  const isOfBefore = manifest.shape === shape && manifest.version !== '0';
  const wasByRegion = manifest.entries.some(({ start }) => regionOf(start) !== undefined);
  const changedRows = isOfBefore ? await tx.readChangedRows(collection, manifest.version) : [];
  // Below the floor, removals have been purged that this manifest does not know of.
  const isPart = isOfBefore && wasByRegion && !(await tx.isBelowFloor(manifest.version));

  const counts = isPart ? undefined : await tx.countByRegion(collection);
  const isByRegion = wasByRegion || isAbove(collection, counts, cutAbove);
  const kept = isOfBefore && wasByRegion === isByRegion ? manifest.entries : [];
  const touched = counts?.keys() ?? changedRows.flatMap(({ region, left }) => [region, ...left]);
  const ranges = rangesOf(isByRegion ? [...touched].map(firstEdge) : [firstEdge(undefined)], kept);

  const changed = new Set(ranges.filter(({ entry }) => entry === undefined));
  const add = (at: number) => changed.add(must(ranges[at], 'a range'));
  for (const { id, createdAt, region } of kept.length === 0 ? [] : changedRows)
    if (createdAt !== undefined)
      add(rangeOf(ranges, `${isByRegion ? firstEdge(region) : ''}${rangeKey({ id, createdAt })}`));
  // What left a range without a trace of where it was in it: the range has other rows than its segment.
  const leftRegions = isPart
    ? [
        ...new Set(
          changedRows.flatMap(({ createdAt, region, left }) => [...left, ...(createdAt === undefined ? [region] : [])]),
        ),
      ]
    : undefined;
  const isCounted = ({ start }: Range) => leftRegions?.includes(regionOf(start) ?? '') ?? true;
  const counted = [...ranges.entries()].filter(([, range]) => isCounted(range));
  const rowsNow =
    counted.length === 0
      ? []
      : await tx.countByRange(
          collection,
          counted.map(([, { start }]) => start),
          isByRegion,
          leftRegions,
        );
  for (const [turn, [at, { rows }]] of counted.entries()) if (rows !== rowsNow[turn]) add(at);

  const edges = new Set(ranges.map(({ start }) => firstEdge(regionOf(start))));
  return {
    version,
    shape,
    regions: Array.from(edges, (edge): RegionPlan => {
      const own = ranges.filter(({ start }) => firstEdge(regionOf(start)) === edge);
      const toRead = own.filter((range) => changed.has(range));
      const fresh = toRead.some(({ entry }) => entry === undefined) ? (counts?.get(regionOf(edge) ?? '') ?? 0) : 0;
      const rows = toRead.reduce((sum, range) => sum + range.rows, fresh);
      return { firstEdge: edge, ranges: own, changed: new Set(toRead), rows };
    }),
  };
}

/** What a region's segments are made of: oldest first. Ranges in which nothing changed are not read. */
export async function readRegion<Name extends CollectionName>(
  tx: ReadTx,
  collection: Name,
  { ranges, changed }: RegionPlan,
): Promise<Piece<Name>[]> {
  if (changed.size === 0) return ranges.flatMap(({ entry }) => (entry === undefined ? [] : [{ kept: entry }]));
  const parts: Part<Name>[] = [];
  for (const [at, range] of ranges.entries()) {
    const to = ranges[at + 1]?.start;
    const rows = changed.has(range) ? await readRowsBetween(tx, collection, { from: range.start, to }) : undefined;
    parts.push({ ...range, rows: rows?.length ?? range.rows, changedRows: rows });
  }
  const pieces: Piece<Name>[] = [];
  for (const [from, to] of joinRanges(parts))
    pieces.push(await joinParts(tx, collection, parts.slice(from, to + 1), parts[to + 1]?.start));
  return pieces;
}

function isAbove(
  collection: CollectionName,
  counts: ReadonlyMap<string, number> | undefined,
  cutAbove: number,
): boolean {
  const { townColumn } = collections[collection] as CollectionDefinition;
  if (townColumn === undefined || counts === undefined) return false;
  return [...counts.values()].reduce((sum, rows) => sum + rows, 0) > cutAbove;
}

/** The segments' ranges, and one for each of the edges that none of them begins from, in order. */
function rangesOf(edges: readonly string[], entries: ReadManifest['entries']): Known[] {
  const known = entries.map((entry): Known => ({ start: entry.start, rows: entry.rows, entry }));
  const starts = new Set(known.map(({ start }) => start));
  const fresh = [...new Set(edges)].filter((edge) => !starts.has(edge));
  return [...known, ...fresh.map((start): Known => ({ start, rows: 0, entry: undefined }))].sort((one, other) =>
    one.start < other.start ? -1 : 1,
  );
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
