import { rangeKey } from '../../shared/protocol/segment.ts';
import {
  collections,
  type CollectionDefinition,
  type CollectionName,
  type CollectionRow,
} from '../../shared/tables/collections.ts';
import { must } from '../../shared/lib/must.ts';
import type { StoredEntry } from '../store/collection-tables.ts';
import type { ReadTx } from '../store/sync-store.ts';
import { firstEdge, joinRanges, rangeOf, regionOf, wholeLimit, type Range } from './collection-ranges.ts';
import { collectionShape, readRowsBetween } from './collection-rows.ts';

/** A range that stays as it is, or the rows of one that is to be built anew. */
export type Piece<Name extends CollectionName> = { kept: StoredEntry } | { start: string; rows: CollectionRow<Name>[] };

export interface SnapshotPlan<Name extends CollectionName> {
  version: string;
  shape: string;
  /** Of each region, or one of the whole collection: oldest first. */
  regions: { firstEdge: string; pieces: Piece<Name>[] }[];
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
  const counts = await tx.countByRegion(collection);
  const isByRegion = isCutByRegion(collection, manifest.entries, counts);
  const isOfBefore = manifest.shape === shape && manifest.version !== '0';
  const edges = isByRegion ? [...counts.keys()].map(firstEdge) : [firstEdge(undefined)];
  const kept = isOfBefore ? manifest.entries.filter(({ start }) => (regionOf(start) !== undefined) === isByRegion) : [];
  const ranges = rangesOf(edges, kept);

  const changed = new Set([...ranges.keys()].filter((at) => ranges[at]?.entry === undefined));
  if (kept.length > 0)
    for (const row of await tx.readChangedRows(collection, manifest.version))
      changed.add(rangeOf(ranges, `${isByRegion ? firstEdge(row.region) : ''}${rangeKey(row)}`));
  // What left a range without a trace of where it was: it is gone for good, or its town is in another region by now.
  const rowsNow = await tx.countByRange(
    collection,
    ranges.map(({ start }) => start),
    isByRegion,
  );
  for (const [at, { rows }] of ranges.entries()) if (rows !== rowsNow[at]) changed.add(at);
  // A town that is in another region takes its jobs along, which leave no change of their own.
  const haveTownsChanged = isByRegion && (await tx.readChangedRows('reference', manifest.version)).length > 0;
  if (haveTownsChanged) for (const at of ranges.keys()) changed.add(at);

  const regions: SnapshotPlan<Name>['regions'] = [];
  for (const edge of ranges.map(({ start }) => firstEdge(regionOf(start))).filter(isFirst)) {
    const own = [...ranges.entries()].filter(([, { start }]) => firstEdge(regionOf(start)) === edge);
    const parts: Part<Name>[] = [];
    for (const [turn, [at, range]] of own.entries()) {
      const to = own[turn + 1]?.[1].start;
      const rows = changed.has(at) ? await readRowsBetween(tx, collection, { from: range.start, to }) : undefined;
      parts.push({ ...range, rows: rows?.length ?? range.rows, changedRows: rows });
    }
    const pieces: Piece<Name>[] = [];
    for (const [from, to] of joinRanges(parts))
      pieces.push(await joinParts(tx, collection, parts.slice(from, to + 1), parts[to + 1]?.start));
    regions.push({ firstEdge: edge, pieces });
  }
  return { version, shape, regions };
}

const isFirst = <Value>(value: Value, at: number, all: readonly Value[]) => all.indexOf(value) === at;

function isCutByRegion(
  collection: CollectionName,
  entries: readonly StoredEntry[],
  counts: ReadonlyMap<string, number>,
): boolean {
  const { townColumn } = collections[collection] as CollectionDefinition;
  if (townColumn === undefined) return false;
  if (entries.some(({ start }) => regionOf(start) !== undefined)) return true;
  return [...counts.values()].reduce((sum, rows) => sum + rows, 0) > wholeLimit;
}

/** The segments' ranges, and one for each of the edges that none of them begins from, in order. */
function rangesOf(edges: readonly string[], entries: readonly StoredEntry[]): Known[] {
  const known = entries.map((entry): Known => ({ start: entry.start, rows: entry.rows, entry }));
  const fresh = edges.filter((edge) => entries.every(({ start }) => start !== edge));
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
