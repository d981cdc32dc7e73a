import { rangeKey } from '../../shared/protocol/segment.ts';
import {
  collectionColumns,
  collections,
  type CollectionName,
  type CollectionRow,
} from '../../shared/tables/collections.ts';
import type { CollectionReads } from '../store/collection-tables.ts';
import { keyOf, regionOf } from './collection-ranges.ts';

/** What gives a segment its shape: other columns or another selection make other segments of the same rows. */
export function collectionShape(collection: CollectionName): string {
  return JSON.stringify([collectionColumns(collection), collections[collection].where]);
}

/** Edges (`Range`). */
export interface Edges {
  /** Included. */
  from: string;
  /** Not included, and of the same region; undefined for no bound. */
  to: string | undefined;
}

const instantOf = (key: string) => key.slice(0, key.indexOf('|'));

/** The collection's rows between two edges, lowest key first. */
export async function readRowsBetween<Name extends CollectionName>(
  tx: CollectionReads,
  collection: Name,
  edges: Edges,
): Promise<CollectionRow<Name>[]> {
  const [from, to] = [keyOf(edges.from), edges.to === undefined ? undefined : keyOf(edges.to)];
  // Rows within a bound's millisecond are all read, then filtered by key.
  const rows = await tx.readCollectionRows(collection, {
    from: from === '' ? undefined : instantOf(from),
    to: to === undefined ? undefined : instantOf(to),
    region: regionOf(edges.from),
  });
  return rows
    .map((row) => ({ row, key: rangeKey(row as unknown as { createdAt: string; id: string }) }))
    .filter(({ key }) => key >= from && (to === undefined || key < to))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ row }) => row);
}
