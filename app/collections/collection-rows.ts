import type { CollectionAnswer } from '../../shared/protocol/exchange.ts';
import type { Manifest } from '../../shared/protocol/segment.ts';
import type { CollectionName, CollectionRow } from '../../shared/tables/collections.ts';
import type { CollectionState } from '../db/person-db.ts';
import { heldRegions, regionsKey } from './held-regions.ts';
import { nearSegments } from './missing-segments.ts';
import type { CollectionReading } from './read-collection.ts';

export interface CollectionContents<Name extends CollectionName> {
  /**
   * `starting`: not read yet. `absent`: nothing of it on this device yet. `filling`: the first download, newest first.
   * `part`: the person's own regions are here, and the rest is held back to save data, or too much (`held`). `hidden`:
   * this person may not read it, or no longer. `failed`: the device could not read it; that is not the same as empty.
   */
  readonly status: 'starting' | 'absent' | 'filling' | 'part' | 'ready' | 'hidden' | 'failed';
  /** The rows in no order. The same array until something changes. */
  readonly rows: readonly CollectionRow<Name>[];
  /** How many of the manifest's segments have been read, and whether all of the person's own regions are among them. */
  readonly progress: { readonly here: number; readonly of: number; readonly isNearHere: boolean };
  /** ISO instant of the server's last answer. */
  readonly updatedAt: string | null;
  /** Present where the collection is too large to be here whole. */
  readonly held?: HeldPart | undefined;
}

export interface HeldPart {
  /** '' are rows whose town is not known. */
  readonly regions: readonly string[];
  /** How many rows there are in others. */
  readonly elsewhere: number;
  /** Other regions that are on their way, and how many of their segments are here. */
  readonly coming: { readonly regions: readonly string[]; readonly here: number; readonly of: number } | undefined;
}

export type Row<Name extends CollectionName> = CollectionRow<Name> & { id: string };

/** A row that is shown before it is written, and what it took the place of. */
interface EarlyRow<Name extends CollectionName> {
  readonly row: Row<Name> | null;
  readonly before: Row<Name> | undefined;
}

/** The rows of one manifest, as far as its segments are read, with the changes since the snapshot. */
export interface CollectionRows<Name extends CollectionName> {
  /** Which manifest, see `nameOf`. */
  readonly manifest: string | null;
  readonly byId: Map<string, Row<Name>>;
  /** The segments that are in `byId`. */
  readonly added: Set<string>;
  /** Ids that `fresh` has a change for: segments must not bring them back. */
  readonly changed: Set<string>;
  readonly early: Map<string, EarlyRow<Name>>;
  /** The last padded version of `fresh` that is in `byId`. */
  since: string;
  /** The rows as an array, built again only after a change, so that a caller that sorts them need not sort again. */
  list: readonly Row<Name>[] | undefined;
}

/**
 * Identifies a manifest: after a restore a version can come a second time, with other rows behind it, and one version
 * of other regions.
 */
export const nameOf = (manifest: Manifest | null) =>
  manifest && `${manifest.timeline ?? ''} ${manifest.version} ${regionsKey(heldRegions(manifest))}`;

export const createRows = <Name extends CollectionName>(manifest: string | null): CollectionRows<Name> => ({
  manifest,
  byId: new Map(),
  added: new Set(),
  changed: new Set(),
  early: new Map(),
  since: '',
  list: undefined,
});

export function listOf<Name extends CollectionName>(rows: CollectionRows<Name>): readonly Row<Name>[] {
  rows.list ??= [...rows.byId.values()];
  return rows.list;
}

/** What a reading of the disk is on the screen. `isHeldBack`: no more than the person's own regions is downloaded. */
export function contentsOf<Name extends CollectionName>(
  rows: CollectionRows<Name>,
  { state, here }: Pick<CollectionReading, 'state' | 'here'>,
  isHeldBack: boolean,
): Pick<CollectionContents<Name>, 'status' | 'progress' | 'updatedAt' | 'held'> {
  const manifest = state?.manifest ?? null;
  const held = heldPart(state, here);
  const of = manifest?.segments.length ?? 0;
  const isNearHere = manifest !== null && nearSegments(manifest).every(({ hash }) => rows.added.has(hash));
  const isHere = rows.added.size === of;
  const standing = isHere ? (held === undefined ? 'ready' : 'part') : isHeldBack && isNearHere ? 'part' : 'filling';
  return {
    status: state?.denied ? 'hidden' : manifest === null ? 'absent' : standing,
    progress: { here: rows.added.size, of, isNearHere },
    updatedAt: state?.updatedAt ?? null,
    held,
  };
}

function heldPart(state: CollectionState | undefined, here: readonly string[]): HeldPart | undefined {
  const { manifest = null, coming = null } = state ?? {};
  const regions = manifest?.regions;
  if (regions === undefined) return undefined;
  const isOther = coming !== null && regionsKey(heldRegions(coming)) !== regionsKey(regions);
  const stored = new Set(here);
  // Of the regions that are held already most segments are here: the progress is that of the others.
  const others = (coming?.segments ?? []).filter(({ region }) => !regions.includes(region ?? ''));
  return {
    regions,
    elsewhere: manifest?.elsewhere ?? 0,
    coming: isOther
      ? {
          regions: heldRegions(coming).filter((region) => !regions.includes(region)),
          here: others.filter(({ hash }) => stored.has(hash)).length,
          of: others.length,
        }
      : undefined,
  };
}

/** The manifest's segments that are on this device and not in the rows. */
export function unreadSegments<Name extends CollectionName>(
  { added }: CollectionRows<Name>,
  { state, here }: CollectionReading,
): string[] {
  const stored = new Set(here);
  return (state?.manifest?.segments ?? [])
    .map(({ hash }) => hash)
    .filter((hash) => stored.has(hash) && !added.has(hash));
}

export function addSegment<Name extends CollectionName>(
  rows: CollectionRows<Name>,
  hash: string,
  segment: readonly Row<Name>[],
): void {
  // Backwards, because a segment begins with its oldest row: all rows are then newest first, and sorting has little to
  // do.
  for (const row of segment.toReversed()) if (!rows.changed.has(row.id)) rows.byId.set(row.id, row);
  rows.added.add(hash);
  rows.list = undefined;
}

export function addChanges<Name extends CollectionName>(
  rows: CollectionRows<Name>,
  { changed }: CollectionReading,
): void {
  for (const { id, row, version } of changed) {
    rows.changed.add(id);
    const shownBefore = rows.early.get(id);
    rows.early.delete(id);
    // What is written as it was shown is no change: the list would be filtered and sorted a second time.
    if (shownBefore === undefined || JSON.stringify(shownBefore.row) !== JSON.stringify(row))
      setRow(rows, id, row as Row<Name> | null);
    if (version > rows.since) rows.since = version;
  }
}

/** Puts an answer's changes into the rows before they are on the disk. */
export function addEarly<Name extends CollectionName>(
  rows: CollectionRows<Name>,
  { puts, removes }: Extract<CollectionAnswer<Name>, { puts: unknown }>,
): void {
  const changes = [
    ...removes.map((id) => [id, null] as const),
    ...(puts as Row<Name>[]).map((row) => [row.id, row] as const),
  ];
  for (const [id, row] of changes) rows.early.set(id, { row, before: rows.byId.get(id) });
  for (const [id, { row }] of rows.early) setRow(rows, id, row);
}

/** Takes back what `addEarly` put in and no reading has brought since. */
export function revertEarly<Name extends CollectionName>(rows: CollectionRows<Name>): void {
  for (const [id, { before }] of rows.early) setRow(rows, id, before);
  rows.early.clear();
}

function setRow<Name extends CollectionName>(
  rows: CollectionRows<Name>,
  id: string,
  row: Row<Name> | null | undefined,
): void {
  rows.list = undefined;
  if (row) rows.byId.set(id, row);
  else rows.byId.delete(id);
}
