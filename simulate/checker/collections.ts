import type { ChangedRow, SegmentEntryOnDevice, CollectionState } from '../../app/db/person-db.ts';
import { publicDbName } from '../../app/db/person-db.ts';
import { unpackSegment } from '../../shared/protocol/segment.ts';
import {
  collectionColumns,
  collectionNames,
  collections,
  type CollectionName,
} from '../../shared/tables/collections.ts';
import type { Disk } from '../device/disk.ts';
import {
  isInCollection,
  viewOfCommitted,
  type Committed,
  type Row,
} from '../../sync-server/testing/memory-store/memory-tables.ts';
import type { Backend } from '../world/backend.ts';
import type { Counters } from '../world/counters.ts';
import { asText } from './disk-snapshot.ts';
import { isHeldIn } from './held-part.ts';
import { must } from './violation.ts';

/** Where a device stores what is public, and what needs a right. */
export const collectionsIn = (database: string): readonly CollectionName[] =>
  collectionNames.filter(
    (collection) => (collections[collection].readers === 'public') === database.endsWith(publicDbName),
  );

export const collectionStores = ['segments', 'fresh', 'shelfStates'] as const;

export const stateOf = (disk: Disk, database: string, collection: CollectionName): CollectionState | undefined =>
  (disk.read(database, 'shelfStates') as readonly CollectionState[]).find((state) => state.shelf === collection);

const unpacked = new Map<string, readonly Row[]>();

function rowsIn(collection: CollectionName, { hash, text }: SegmentEntryOnDevice): readonly Row[] {
  const known = unpacked.get(hash) ?? (unpackSegment(collection, text) as unknown as Row[]);
  unpacked.set(hash, known);
  return known;
}

/** A shared collection as this device would show it; undefined where a segment of it is missing. */
export function collectionOn(disk: Disk, database: string, collection: CollectionName): Map<string, Row> | undefined {
  const state = stateOf(disk, database, collection);
  if (state?.manifest == null) return undefined;
  const here = new Map(
    (disk.read(database, 'segments') as readonly SegmentEntryOnDevice[]).map((segment) => [segment.hash, segment]),
  );
  const rows = new Map<string, Row>();
  for (const { hash } of state.manifest.segments) {
    const segment = here.get(hash);
    if (segment === undefined) return undefined;
    for (const row of rowsIn(collection, segment)) rows.set(String(row['id']), row);
  }
  for (const { shelf: of, id, row } of disk.read(database, 'fresh') as readonly ChangedRow[]) {
    if (of !== collection) continue;
    if (row === null) rows.delete(id);
    else rows.set(id, row as Row);
  }
  return rows;
}

const known = new WeakMap<Committed, Map<string, string>>();

/** Its rows according to SQL, as text; of these regions, where a device holds it in part. */
export function expectedOf(
  committed: Committed,
  collection: CollectionName,
  regions: readonly string[] | undefined,
): string {
  const texts = known.get(committed) ?? new Map<string, string>();
  known.set(committed, texts);
  const key = [collection, ...(regions ?? ['all'])].join();
  const text = texts.get(key) ?? asTexts(standing(committed, collection, regions));
  texts.set(key, text);
  return text;
}

export const asTexts = (rows: Iterable<Row>): string => JSON.stringify(Array.from(rows, asText).toSorted());

function standing(committed: Committed, collection: CollectionName, regions: readonly string[] | undefined): Row[] {
  const rows = viewOfCommitted(committed)
    .all(collections[collection].table)
    .filter((row) => isInCollection(collections[collection].table, row))
    .filter((row) => regions === undefined || isHeldIn(committed, row, regions));
  return rows.map((row) => Object.fromEntries(collectionColumns(collection).map((column) => [column, row[column]])));
}

/** Rows that came with alerts and that no answer has brought yet (C14): of a version after the one that is here. */
function pushedTo(disk: Disk, database: string, collection: CollectionName, here: string): Set<string> {
  const changed = disk.read(database, 'fresh') as readonly ChangedRow[];
  const pushed = changed.filter(({ shelf, version }) => {
    const [, of] = version.split('.');
    return shelf === collection && of !== undefined && Number(of) > Number(here);
  });
  return new Set(pushed.map(({ id }) => id));
}

/**
 * I9 for the shared collections, at any time: where a device names a version of this timeline, it shows the rows of
 * that version; of a feed that it holds in part, those of its regions.
 */
export function i9Collections(
  disk: Disk,
  where: string,
  database: string,
  { at, timeline: timelineNow }: Pick<Backend, 'at' | 'timeline'>,
  counters: Counters,
): void {
  if (disk.isBeingWritten(database, collectionStores)) return;
  for (const collection of collectionsIn(database)) {
    const state = stateOf(disk, database, collection);
    if (state === undefined || state.version === null || state.denied) continue;
    const { timeline } = state as { timeline?: string | null };
    if (timeline !== undefined && timeline !== timelineNow()) continue;
    const committed = at(Number(state.version));
    const rows = collectionOn(disk, database, collection);
    if (committed === undefined || rows === undefined) continue;
    const regions = state.manifest?.regions;
    if (regions !== undefined) counters.count('a feed held in part was checked');
    const coming = pushedTo(disk, database, collection, state.version);
    if (coming.size > 0) {
      const others = (all: Iterable<Row>) => asTexts(Array.from(all).filter((row) => !coming.has(String(row['id']))));
      must(
        others(rows.values()) === others(standing(committed, collection, regions)),
        'I9',
        where,
        () => `${collection} is not as it was at version ${state.version ?? ''}, beside what came with alerts`,
      );
      continue;
    }
    must(
      asTexts(rows.values()) === expectedOf(committed, collection, regions),
      'I9',
      where,
      () =>
        `${collection} is not as it was at version ${state.version ?? ''}${regions === undefined ? '' : ` in ${regions.join()}`}: ${asTexts(rows.values())} for ${expectedOf(committed, collection, regions)}`,
    );
  }
}
