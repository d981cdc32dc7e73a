import { unpackSegment } from '../../shared/protocol/segment.ts';
import type { ShelfName, ShelfRow } from '../../shared/tables/shelves.ts';
import type { ShelfDb } from '../db/person-db.ts';

/**
 * One row of a shelf straight from the database, for places that have no shelf in memory (the service worker).
 * Reads the segments' text until one names the id, so it costs tens of milliseconds on a full shelf.
 */
export async function findOnShelf<Name extends ShelfName>(db: ShelfDb, shelf: Name, id: string): Promise<ShelfRow<Name> | undefined> {
  return db.transaction('r', ['segments', 'fresh', 'shelfStates'], async () => {
    const fresh = await db.fresh.get([shelf, id]);
    if (fresh !== undefined) return (fresh.row as ShelfRow<Name> | null) ?? undefined;
    const manifest = (await db.shelfStates.get(shelf))?.manifest;
    const quoted = JSON.stringify(id);
    for (const { hash } of manifest?.segments ?? []) {
      const segment = await db.segments.get(hash);
      if (!segment?.text.includes(quoted)) continue;
      const rows = unpackSegment(shelf, segment.text) as (ShelfRow<Name> & { id: string })[];
    const row = rows.find((one) => one.id === id);
      if (row !== undefined) return row;
    }
    return undefined;
  });
}
