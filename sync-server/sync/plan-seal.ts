import { must } from '../../shared/lib/must.ts';
import type { ShelfName, ShelfRow } from '../../shared/tables/shelves.ts';
import type { Sql } from '../db/database.ts';
import { readHeadVersion } from './head-version.ts';
import { joinRanges, rangeOf, type Range } from './shelf-ranges.ts';
import { countShelfRows, readChangedKeys, readShelfRows, shelfShape } from './shelf-rows.ts';
import { readManifest, type StoredEntry } from './shelf-store.ts';

/** A range that stays as it is, or the rows of one that is to be sealed anew. */
export type Piece<Name extends ShelfName> = { kept: StoredEntry } | { start: string; rows: ShelfRow<Name>[] };

export interface SealPlan<Name extends ShelfName> {
  version: string;
  shape: string;
  /** Oldest first. */
  pieces: Piece<Name>[];
}

interface Part<Name extends ShelfName> extends Range {
  /** As it is sealed now; undefined for a shelf's very first range. */
  entry: StoredEntry | undefined;
  /** Undefined where nothing in it changed: then it was not read. */
  fresh: ShelfRow<Name>[] | undefined;
}

/** Works out, in one snapshot, what of the shelf has to be sealed anew. Ranges in which nothing changed are not even read. */
export async function planSeal<Name extends ShelfName>(tx: Sql, shelf: Name): Promise<SealPlan<Name>> {
  const manifest = await readManifest(tx, shelf);
  const version = await readHeadVersion(tx);
  const shape = shelfShape(shelf);
  const ranges: (Range & { entry: StoredEntry | undefined })[] = manifest.entries.map((entry) => ({ start: entry.start, rows: entry.rows, entry }));
  if (ranges.length === 0) ranges.push({ start: '', rows: 0, entry: undefined });

  const everything = new Set(ranges.keys());
  let changed = everything;
  if (manifest.shape === shape && manifest.version !== '0') {
    const keys = await readChangedKeys(tx, shelf, manifest.version);
    // Where a row is gone for good, nothing tells where it stood.
    changed = keys.includes(undefined) ? everything : new Set(keys.map((key) => rangeOf(ranges, must(key, 'a key'))));
  }
  let parts = await readParts(tx, shelf, ranges, changed);
  // A row that moved out of a range unseen (somebody rewrote its createdAt) would be counted twice: then all is read again.
  if (total(parts) !== (await countShelfRows(tx, shelf))) parts = await readParts(tx, shelf, ranges, everything);

  const pieces: Piece<Name>[] = [];
  for (const [from, to] of joinRanges(parts)) pieces.push(await joinParts(tx, shelf, parts.slice(from, to + 1), parts[to + 1]?.start));
  return { version, shape, pieces };
}

const total = (parts: readonly Range[]) => parts.reduce((sum, { rows }) => sum + rows, 0);

async function readParts<Name extends ShelfName>(
  tx: Sql, shelf: Name, ranges: readonly (Range & { entry: StoredEntry | undefined })[], changed: ReadonlySet<number>,
): Promise<Part<Name>[]> {
  const parts: Part<Name>[] = [];
  for (const [at, range] of ranges.entries()) {
    const fresh = changed.has(at) ? await readShelfRows(tx, shelf, { from: range.start, to: ranges[at + 1]?.start }) : undefined;
    parts.push({ ...range, rows: fresh?.length ?? range.rows, fresh });
  }
  return parts;
}

async function joinParts<Name extends ShelfName>(tx: Sql, shelf: Name, parts: readonly Part<Name>[], to: string | undefined): Promise<Piece<Name>> {
  const { start } = must(parts[0], 'a range');
  const filled = parts.filter(({ rows }) => rows > 0);
  const only = filled.length === 1 ? filled[0] : undefined;
  // An emptied neighbour leaves nothing behind but its place.
  if (only?.fresh === undefined && only?.entry !== undefined) return { kept: { ...only.entry, start } };
  const known = filled.every(({ fresh }) => fresh !== undefined);
  const rows = known ? filled.flatMap(({ fresh }) => fresh ?? []) : await readShelfRows(tx, shelf, { from: start, to });
  return { start, rows };
}
