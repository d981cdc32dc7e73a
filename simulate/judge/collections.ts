import type { FreshEntry, SegmentEntryOnDevice, ShelfState } from '../../app/db/person-db.ts';
import { publicDbName } from '../../app/db/person-db.ts';
import { unpackSegment } from '../../shared/protocol/segment.ts';
import { shelfColumns, shelfNames, shelves, type ShelfName } from '../../shared/tables/shelves.ts';
import type { Disk } from '../device/disk.ts';
import { standsOnShelf, viewOfCommitted, type Committed, type Row } from '../server/memory-tables.ts';
import type { Backend } from '../world/backend.ts';
import { asText } from './sighting.ts';
import { must } from './violation.ts';

/** Where a device keeps what anybody may read, and what only some may. */
export const collectionsIn = (database: string): readonly ShelfName[] =>
  shelfNames.filter((shelf) => (shelves[shelf].readers === 'public') === database.endsWith(publicDbName));

export const collectionStores = ['segments', 'fresh', 'shelfStates'] as const;

export const stateOf = (disk: Disk, database: string, shelf: ShelfName): ShelfState | undefined =>
  (disk.read(database, 'shelfStates') as readonly ShelfState[]).find((state) => state.shelf === shelf);

const unpacked = new Map<string, readonly Row[]>();

function rowsIn(shelf: ShelfName, { hash, text }: SegmentEntryOnDevice): readonly Row[] {
  const known = unpacked.get(hash) ?? (unpackSegment(shelf, text) as unknown as Row[]);
  unpacked.set(hash, known);
  return known;
}

/** A shared collection as this device would show it; undefined where a piece of it is not here. */
export function collectionOn(disk: Disk, database: string, shelf: ShelfName): Map<string, Row> | undefined {
  const state = stateOf(disk, database, shelf);
  if (state?.manifest == null) return undefined;
  const here = new Map((disk.read(database, 'segments') as readonly SegmentEntryOnDevice[]).map((segment) => [segment.hash, segment]));
  const rows = new Map<string, Row>();
  for (const { hash } of state.manifest.segments) {
    const segment = here.get(hash);
    if (segment === undefined) return undefined;
    for (const row of rowsIn(shelf, segment)) rows.set(String(row['id']), row);
  }
  for (const { shelf: of, id, row } of disk.read(database, 'fresh') as readonly FreshEntry[]) {
    if (of !== shelf) continue;
    if (row === null) rows.delete(id);
    else rows.set(id, row as Row);
  }
  return rows;
}

const known = new WeakMap<Committed, Map<ShelfName, string>>();

/** What SQL says stands on it, as text. */
export function expectedOf(committed: Committed, shelf: ShelfName): string {
  const texts = known.get(committed) ?? new Map<ShelfName, string>();
  known.set(committed, texts);
  const text = texts.get(shelf) ?? asTexts(standing(committed, shelf));
  texts.set(shelf, text);
  return text;
}

export const asTexts = (rows: Iterable<Row>): string => JSON.stringify(Array.from(rows, asText).toSorted());

function standing(committed: Committed, shelf: ShelfName): Row[] {
  const rows = viewOfCommitted(committed).all(shelves[shelf].table).filter((row) => standsOnShelf(shelves[shelf].table, row));
  return rows.map((row) => Object.fromEntries(shelfColumns(shelf).map((column) => [column, row[column]])));
}

/** I9 for the shared collections, at every moment: where a device names a version of this life of the database, it shows what stood there then. */
export function i9Collections(disk: Disk, where: string, database: string, { at, lineage }: Pick<Backend, 'at' | 'lineage'>): void {
  if (disk.isBeingWritten(database, collectionStores)) return;
  for (const shelf of collectionsIn(database)) {
    const state = stateOf(disk, database, shelf);
    if (state === undefined || state.version === null || state.denied) continue;
    const { timeline } = state as { timeline?: string | null };
    if (timeline !== undefined && timeline !== lineage()) continue;
    const committed = at(Number(state.version));
    const rows = collectionOn(disk, database, shelf);
    if (committed === undefined || rows === undefined) continue;
    must(asTexts(rows.values()) === expectedOf(committed, shelf), 'I9', where, () => `${shelf} is not as it was at version ${state.version ?? ''}: ${asTexts(rows.values())} for ${expectedOf(committed, shelf)}`);
  }
}
