import type { Manifest, SegmentEntry } from '../../shared/protocol/segment.ts';
import type { CollectionName } from '../../shared/tables/collections.ts';
import type { CollectionDb, CollectionState } from '../db/person-db.ts';

/** The manifest that a device is downloading. */
export function wantedManifest(state: CollectionState): Manifest | null {
  return state.coming ?? state.manifest;
}

/** The segments of the person's own regions; all of them where the manifest does not tell them apart. */
export function nearSegments({ near = 0, segments }: Manifest): SegmentEntry[] {
  return near === 0 ? segments : segments.slice(0, near);
}

/**
 * Those of a manifest's segments that are not on the device yet, newest first. `onlyNear`: of the person's own regions
 * alone.
 */
export async function missingSegments(
  db: CollectionDb,
  collection: CollectionName,
  manifest: Manifest,
  onlyNear = false,
): Promise<SegmentEntry[]> {
  const here = new Set(await db.segments.where('shelf').equals(collection).primaryKeys());
  return (onlyNear ? nearSegments(manifest) : manifest.segments).filter(({ hash }) => !here.has(hash));
}

/** Is all of it here? `onlyNear`: all of the person's own regions. */
export async function isComplete(
  db: CollectionDb,
  collection: CollectionName,
  manifest: Manifest | null,
  onlyNear = false,
): Promise<boolean> {
  return manifest !== null && (await missingSegments(db, collection, manifest, onlyNear)).length === 0;
}
