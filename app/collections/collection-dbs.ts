import { heldRegions, regionsKey } from './held-regions.ts';
import type { Manifest } from '../../shared/protocol/segment.ts';
import { collections, type CollectionName } from '../../shared/tables/collections.ts';
import type { PersonDb, CollectionDb, CollectionState } from '../db/person-db.ts';

/**
 * The database of each collection: public ones in the browser's shared database, the rest in the person's own (C10).
 */
export interface CollectionDbs {
  publicDb: CollectionDb;
  /** Absent while no person is signed in. */
  personDb?: PersonDb;
}

export function dbOf(dbs: CollectionDbs, collection: CollectionName): CollectionDb | undefined {
  return collections[collection].readers === 'public' ? dbs.publicDb : dbs.personDb;
}

export const collectionStoreNames = ['segments', 'fresh', 'shelfStates'] as const;

export function blankState(collection: CollectionName): CollectionState {
  return {
    shelf: collection,
    version: null,
    timeline: null,
    manifest: null,
    coming: null,
    denied: false,
    updatedAt: null,
  };
}

export async function stateOf(db: CollectionDb, collection: CollectionName): Promise<CollectionState> {
  const state = await db.shelfStates.get(collection);
  if (state === undefined) return blankState(collection);
  // A bare number may be of a timeline that has ended: what is here is shown until the next manifest, and nothing is
  // asked from it.
  if (typeof state.timeline === 'string') return state;
  return {
    ...state,
    timeline: null,
    version: null,
    coming: state.coming?.timeline === undefined ? null : state.coming,
  };
}

const nameOf = (manifest: Manifest | null) =>
  manifest && [manifest.timeline, manifest.version, regionsKey(heldRegions(manifest))];

/**
 * A collection's position as a text: an answer that brings a manifest belongs to the position at which it was asked for
 * (C3).
 */
export function positionKeyOf({ timeline, version, manifest, coming, denied }: CollectionState): string {
  return JSON.stringify([timeline, version, nameOf(manifest), nameOf(coming), denied]);
}
