import type { Manifest } from '../../shared/protocol/segment.ts';
import { shelves, type ShelfName } from '../../shared/tables/shelves.ts';
import type { PersonDb, ShelfDb, ShelfState } from '../db/person-db.ts';

/** Where each shelf is kept: what anybody may read in the browser's shared database, the rest in the person's own (C10). */
export interface ShelfHomes {
  publicDb: ShelfDb;
  /** Absent while nobody is signed in. */
  personDb?: PersonDb;
}

export function homeOf(homes: ShelfHomes, shelf: ShelfName): ShelfDb | undefined {
  return shelves[shelf].readers === 'public' ? homes.publicDb : homes.personDb;
}

export const shelfStoreNames = ['segments', 'fresh', 'shelfStates'] as const;

export function blankState(shelf: ShelfName): ShelfState {
  return { shelf, version: null, timeline: null, manifest: null, coming: null, denied: false, updatedAt: null };
}

export async function stateOf(db: ShelfDb, shelf: ShelfName): Promise<ShelfState> {
  const state = await db.shelfStates.get(shelf);
  if (state === undefined) return blankState(shelf);
  // A bare number may be of a database that is no more: what is here is shown until the next manifest, and nothing is asked from it.
  if (typeof state.timeline === 'string') return state;
  return { ...state, timeline: null, version: null, coming: state.coming?.timeline === undefined ? null : state.coming };
}

const nameOf = (manifest: Manifest | null) => manifest && [manifest.timeline, manifest.version];

/** Where a shelf stands, as a text: an answer that lays a list down belongs to the state in which it was asked for (C3). */
export function markOf({ timeline, version, manifest, coming, denied }: ShelfState): string {
  return JSON.stringify([timeline, version, nameOf(manifest), nameOf(coming), denied]);
}
