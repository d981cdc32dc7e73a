import type { Manifest, SegmentEntry } from '../../shared/protocol/segment.ts';
import type { ShelfName } from '../../shared/tables/shelves.ts';
import type { ShelfDb, ShelfState } from '../db/person-db.ts';

/** The manifest that a device is working towards. */
export function wantedManifest(state: ShelfState): Manifest | null {
  return state.coming ?? state.manifest;
}

/** Those of a manifest's segments that are not on the device yet, newest first. */
export async function missingSegments(db: ShelfDb, shelf: ShelfName, manifest: Manifest): Promise<SegmentEntry[]> {
  const here = new Set(await db.segments.where('shelf').equals(shelf).primaryKeys());
  return manifest.segments.filter(({ hash }) => !here.has(hash));
}

export async function isComplete(db: ShelfDb, shelf: ShelfName, manifest: Manifest | null): Promise<boolean> {
  return manifest !== null && (await missingSegments(db, shelf, manifest)).length === 0;
}
