import { collectionNames } from '../../shared/tables/collections.ts';
import type { CollectionsQuestion } from '../sync/ports.ts';
import { dbOf, positionKeyOf, stateOf, type CollectionDbs } from './collection-dbs.ts';

/** The position of each collection. */
export async function marksOf(dbs: CollectionDbs): Promise<CollectionsQuestion['marks']> {
  const marks: CollectionsQuestion['marks'] = {};
  for (const collection of collectionNames) {
    const db = dbOf(dbs, collection);
    if (db !== undefined) marks[collection] = positionKeyOf(await stateOf(db, collection));
  }
  return marks;
}

/** The engine's `forgetVersions`. */
export async function forgetVersions(dbs: CollectionDbs, marks: CollectionsQuestion['marks']): Promise<void> {
  for (const collection of collectionNames) {
    const db = dbOf(dbs, collection);
    if (db === undefined) continue;
    await db.transaction('rw', 'shelfStates', async () => {
      const state = await stateOf(db, collection);
      if (positionKeyOf(state) === marks[collection])
        await db.shelfStates.put({ ...state, version: null, coming: null });
    });
  }
}
