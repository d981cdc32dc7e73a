import { Dexie } from 'dexie';
import type { Manifest } from '../../shared/protocol/segment.ts';
import type { CollectionName } from '../../shared/tables/collections.ts';
import type { CollectionDb, CollectionState } from '../db/person-db.ts';
import { isComplete } from './missing-segments.ts';
import { collectionStoreNames, stateOf } from './collection-dbs.ts';
import { hasSameRegions } from './held-regions.ts';
import { isNewer, padVersion } from './collection-version.ts';

/*
 * How a new manifest replaces the old. A device that has a whole older list goes on serving it until every segment of
 * the new one is here, and then switches in one transaction, so that no reader sees half a list. One that has only the
 * person's own regions of the older list, or is to download no others to save data (`onlyNear`), switches when those of
 * the new one are here. A device that has neither takes the new manifest at once and fills it as segments come.
 *
 * A manifest of other regions begins from its own version: what changed in them since was never asked for.
 *
 * `version` null beside a manifest says that the server could not answer from the version that was here: the rows in
 * `fresh` are then as old as the old segments and are deleted with them.
 */

/** Inside a rw transaction over the collection's stores. `state` is what the caller has read and means to change. */
export async function enterManifest(
  db: CollectionDb,
  state: CollectionState,
  manifest: Manifest,
  onlyNear: boolean,
): Promise<void> {
  if (await mayReplace(db, state, manifest, onlyNear)) return switchManifest(db, state, manifest, onlyNear);
  // A version of another timeline cannot be asked from.
  const version = isOfState(state, manifest) ? state.version : null;
  await db.shelfStates.put({ ...state, version, coming: manifest });
}

/** Has the new list as much of it here as the old one has? */
async function mayReplace(
  db: CollectionDb,
  { shelf, manifest: old }: CollectionState,
  manifest: Manifest,
  onlyNear: boolean,
): Promise<boolean> {
  if (!(await isComplete(db, shelf, old, true))) return true;
  return isComplete(db, shelf, manifest, onlyNear || !(await isComplete(db, shelf, old)));
}

/** Is the manifest of the same timeline as the version that is here? */
export function isOfState({ timeline }: CollectionState, manifest: Manifest): boolean {
  return typeof timeline === 'string' && manifest.timeline === timeline;
}

/**
 * Switches to the coming manifest, if enough of it is here. In a transaction of its own. True where changes are to be
 * asked for at once, because it is of other regions than the one before.
 */
export async function finishManifest(
  db: CollectionDb,
  collection: CollectionName,
  onlyNear: boolean,
): Promise<boolean> {
  return db.transaction('rw', [...collectionStoreNames], async () => {
    const state = await stateOf(db, collection);
    if (state.coming !== null) {
      if (!(await mayReplace(db, state, state.coming, onlyNear))) return false;
      await switchManifest(db, state, state.coming, onlyNear);
      return !hasSameRegions(state.manifest, state.coming);
    }
    if (await isComplete(db, state.shelf, state.manifest, onlyNear)) {
      await dropUnreferenced(db, state);
    }
    return false;
  });
}

async function switchManifest(
  db: CollectionDb,
  state: CollectionState,
  manifest: Manifest,
  onlyNear: boolean,
): Promise<void> {
  // `fresh` holds what changed after the old manifest: under a newer one of the same timeline it stays, under any other
  // it would leave a hole.
  const goesOn =
    state.version !== null &&
    hasSameRegions(state.manifest, manifest) &&
    isOfState(state, manifest) &&
    !isNewer(state.manifest?.version ?? '0', manifest.version);
  const lastDropped = goesOn ? padVersion(manifest.version) : Dexie.maxKey;
  await db.fresh
    .where('[shelf+version]')
    .between([state.shelf, Dexie.minKey], [state.shelf, lastDropped], true, true)
    .delete();
  const version = goesOn && isNewer(state.version ?? '0', manifest.version) ? state.version : manifest.version;
  const next: CollectionState = { ...state, manifest, coming: null, version, timeline: manifest.timeline ?? null };
  await db.shelfStates.put(next);
  if (await isComplete(db, state.shelf, manifest, onlyNear)) await dropUnreferenced(db, next);
}

async function dropUnreferenced(db: CollectionDb, state: CollectionState): Promise<void> {
  const referenced = new Set(state.manifest?.segments.map(({ hash }) => hash));
  const here = await db.segments.where('shelf').equals(state.shelf).primaryKeys();
  await db.segments.bulkDelete(here.filter((hash) => !referenced.has(hash)));
}
