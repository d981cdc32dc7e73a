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
  return { shelf, version: null, manifest: null, coming: null, denied: false, updatedAt: null };
}

export async function stateOf(db: ShelfDb, shelf: ShelfName): Promise<ShelfState> {
  return (await db.shelfStates.get(shelf)) ?? blankState(shelf);
}
