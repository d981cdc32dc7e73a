import { shelfNames } from '../../shared/tables/shelves.ts';
import type { ShelvesQuestion } from '../sync/ports.ts';
import { homeOf, markOf, stateOf, type ShelfHomes } from './shelf-homes.ts';

/** Where each shelf stands. */
export async function marksOf(homes: ShelfHomes): Promise<ShelvesQuestion['marks']> {
  const marks: ShelvesQuestion['marks'] = {};
  for (const shelf of shelfNames) {
    const db = homeOf(homes, shelf);
    if (db !== undefined) marks[shelf] = markOf(await stateOf(db, shelf));
  }
  return marks;
}

/** The engine's `forgetVersions`. */
export async function forgetVersions(homes: ShelfHomes, marks: ShelvesQuestion['marks']): Promise<void> {
  for (const shelf of shelfNames) {
    const db = homeOf(homes, shelf);
    if (db === undefined) continue;
    await db.transaction('rw', 'shelfStates', async () => {
      const state = await stateOf(db, shelf);
      if (markOf(state) === marks[shelf]) await db.shelfStates.put({ ...state, version: null, coming: null });
    });
  }
}
