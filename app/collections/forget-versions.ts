import { collectionNames } from '../../shared/tables/collections.ts';
import type { CollectionsQuestion } from '../sync/ports.ts';
import { homeOf, markOf, stateOf, type CollectionHomes } from './collection-homes.ts';

/** The position of each collection. */
export async function marksOf(homes: CollectionHomes): Promise<CollectionsQuestion['marks']> {
  const marks: CollectionsQuestion['marks'] = {};
  for (const collection of collectionNames) {
    const db = homeOf(homes, collection);
    if (db !== undefined) marks[collection] = markOf(await stateOf(db, collection));
  }
  return marks;
}

/** The engine's `forgetVersions`. */
export async function forgetVersions(homes: CollectionHomes, marks: CollectionsQuestion['marks']): Promise<void> {
  for (const collection of collectionNames) {
    const db = homeOf(homes, collection);
    if (db === undefined) continue;
    await db.transaction('rw', 'shelfStates', async () => {
      const state = await stateOf(db, collection);
      if (markOf(state) === marks[collection]) await db.shelfStates.put({ ...state, version: null, coming: null });
    });
  }
}
