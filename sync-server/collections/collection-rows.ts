import { rangeKey } from '../../shared/protocol/segment.ts';
import {
  collectionColumns,
  collections,
  type CollectionName,
  type CollectionRow,
} from '../../shared/tables/collections.ts';
import type { CollectionReads } from '../store/collection-tables.ts';

/** What gives a segment its shape: other columns or another selection make other segments of the same rows. */
export function collectionShape(collection: CollectionName): string {
  return JSON.stringify([collectionColumns(collection), collections[collection].where]);
}

export interface KeyBounds {
  /** Lowest range key, included; '' for no bound. */
  from: string;
  /** Highest range key, not included; undefined for no bound. */
  to: string | undefined;
}

const instantOf = (key: string) => key.slice(0, key.indexOf('|'));

/** The collection's rows between two range keys, lowest key first. */
export async function readRowsBetween<Name extends CollectionName>(
  tx: CollectionReads,
  collection: Name,
  { from, to }: KeyBounds,
): Promise<CollectionRow<Name>[]> {
  // Rows within a bound's millisecond are all read, then filtered by key.
  const rows = await tx.readCollectionRows(collection, {
    from: from === '' ? undefined : instantOf(from),
    to: to === undefined ? undefined : instantOf(to),
  });
  return rows
    .map((row) => ({ row, key: rangeKey(row as unknown as { createdAt: string; id: string }) }))
    .filter(({ key }) => key >= from && (to === undefined || key < to))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ row }) => row);
}

/**
 * Range keys of the rows that changed after `version`, whether or not they are still in the collection; undefined where
 * a row is gone for good.
 */
export async function readChangedKeys(
  tx: CollectionReads,
  collection: CollectionName,
  version: string,
): Promise<(string | undefined)[]> {
  const changed = await tx.readChangedRows(collection, version);
  return changed.map(({ id, createdAt }) => (createdAt === undefined ? undefined : rangeKey({ id, createdAt })));
}
