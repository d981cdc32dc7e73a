import { Dexie } from 'dexie';
import type { ShelfName } from '../../shared/tables/shelves.ts';
import type { FreshEntry, ShelfDb, ShelfState } from '../db/person-db.ts';

/** What a memory needs to know to catch up: the state, which segments are here, and the rows changed after `since`. */
export interface ShelfReading {
  state: ShelfState | undefined;
  here: string[];
  changed: FreshEntry[];
  since: string;
}

/** One snapshot. `since`: the last padded version that is known already, '' for none. */
export async function readShelf(db: ShelfDb, shelf: ShelfName, since: string): Promise<ShelfReading> {
  return db.transaction('r', ['segments', 'fresh', 'shelfStates'], async () => {
    const [state, here, changed] = await Promise.all([
      db.shelfStates.get(shelf),
      db.segments.where('shelf').equals(shelf).primaryKeys(),
      db.fresh.where('[shelf+version]').between([shelf, since], [shelf, Dexie.maxKey], false, true).toArray(),
    ]);
    return { state, here, changed, since };
  });
}
