import { Dexie } from 'dexie';
import type { CollectionName } from '../../shared/tables/collections.ts';
import type { ChangedRow, CollectionDb, CollectionState } from '../db/person-db.ts';

/**
 * What a collection's memory needs to catch up: the state, which segments are here, and the rows changed after `since`.
 */
export interface CollectionReading {
  state: CollectionState | undefined;
  here: string[];
  changed: ChangedRow[];
  since: string;
}

/** One snapshot. `since`: the last padded version that is known already, '' for none. */
export async function readCollection(
  db: CollectionDb,
  collection: CollectionName,
  since: string,
): Promise<CollectionReading> {
  return db.transaction('r', ['segments', 'fresh', 'shelfStates'], async () => {
    const [state, here, changed] = await Promise.all([
      db.shelfStates.get(collection),
      db.segments.where('shelf').equals(collection).primaryKeys(),
      db.fresh.where('[shelf+version]').between([collection, since], [collection, Dexie.maxKey], false, true).toArray(),
    ]);
    return { state, here, changed, since };
  });
}
