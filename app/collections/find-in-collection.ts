import { unpackSegment } from '../../shared/protocol/segment.ts';
import type { CollectionName, CollectionRow } from '../../shared/tables/collections.ts';
import type { CollectionDb } from '../db/person-db.ts';

/**
 * One row of a collection straight from the database, for places that have no collection in memory (the service
 * worker). Reads the segments' text until one names the id, so it costs tens of milliseconds on a full collection.
 */
export async function findInCollection<Name extends CollectionName>(
  db: CollectionDb,
  collection: Name,
  id: string,
): Promise<CollectionRow<Name> | undefined> {
  return db.transaction('r', ['segments', 'fresh', 'shelfStates'], async () => {
    const changed = await db.fresh.get([collection, id]);
    if (changed !== undefined) return (changed.row as CollectionRow<Name> | null) ?? undefined;
    const manifest = (await db.shelfStates.get(collection))?.manifest;
    const quoted = JSON.stringify(id);
    for (const { hash } of manifest?.segments ?? []) {
      const segment = await db.segments.get(hash);
      if (!segment?.text.includes(quoted)) continue;
      const rows = unpackSegment(collection, segment.text) as (CollectionRow<Name> & { id: string })[];
      const row = rows.find((one) => one.id === id);
      if (row !== undefined) return row;
    }
    return undefined;
  });
}
