import type { Manifest, SegmentEntry } from '../../shared/protocol/segment.ts';
import type { CollectionName } from '../../shared/tables/collections.ts';
import type { CollectionDb, CollectionState } from '../db/person-db.ts';

/** The manifest that a device is downloading. */
export function wantedManifest(state: CollectionState): Manifest | null {
  return state.coming ?? state.manifest;
}

/** Those of a manifest's segments that are not on the device yet, newest first. */
export async function missingSegments(
  db: CollectionDb,
  collection: CollectionName,
  manifest: Manifest,
): Promise<SegmentEntry[]> {
  const here = new Set(await db.segments.where('shelf').equals(collection).primaryKeys());
  return manifest.segments.filter(({ hash }) => !here.has(hash));
}

export async function isComplete(
  db: CollectionDb,
  collection: CollectionName,
  manifest: Manifest | null,
): Promise<boolean> {
  return manifest !== null && (await missingSegments(db, collection, manifest)).length === 0;
}
