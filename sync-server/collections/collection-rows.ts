import { sql, type RawBuilder } from 'kysely';
import { rangeKey } from '../../shared/protocol/segment.ts';
import {
  collectionColumns,
  collections,
  type CollectionName,
  type CollectionRow,
} from '../../shared/tables/collections.ts';
import { columnName } from '../db/column-name.ts';
import type { Sql } from '../db/database.ts';
import { asRow, columnSql } from '../db/rows.ts';

/** The collection's columns of its table, aliased `t`: no other column is ever read for a collection. */
const columnsOf = (collection: CollectionName) =>
  sql.join(
    collectionColumns(collection).map(
      (column) => sql`${columnSql(collections[collection].table, column, 't')} as ${sql.ref(column)}`,
    ),
  );

/** Is the row aliased `t` in the collection? */
function stands(collection: CollectionName): RawBuilder<boolean> {
  const conditions = Object.entries(collections[collection].where).map(
    ([column, value]) => sql<boolean>`${sql.ref(`t.${columnName(column)}`)} = ${value}`,
  );
  return conditions.length === 0 ? sql<boolean>`true` : sql.join(conditions, sql` and `);
}

const tableOf = (collection: CollectionName) => sql.table(collections[collection].table);
/** The row that a row of `sync_change`, aliased `c`, is about. */
const spokenOf = (collection: CollectionName) =>
  collection === 'reference' ? sql`t.id = c.entity_id` : sql`t.id = c.entity_id::uuid`;

/** What gives a segment its shape: other columns or another selection make other segments of the same rows. */
export function collectionShape(collection: CollectionName): string {
  return JSON.stringify([collectionColumns(collection), collections[collection].where]);
}

export interface Bounds {
  /** Lowest range key, included; '' for no bound. */
  from: string;
  /** Highest range key, not included; undefined for no bound. */
  to: string | undefined;
}

/** The collection's rows between two range keys, lowest key first. */
export async function readCollectionRows<Name extends CollectionName>(
  tx: Sql,
  collection: Name,
  { from, to }: Bounds,
): Promise<CollectionRow<Name>[]> {
  const instant = (key: string) => key.slice(0, key.indexOf('|'));
  const fromSql = from === '' ? sql`true` : sql`t.created_at >= ${instant(from)}::timestamptz`;
  // The database may hold finer instants than keys do: rows within the bound's millisecond are all read, then filtered by key.
  const toSql =
    to === undefined ? sql`true` : sql`t.created_at < ${instant(to)}::timestamptz + interval '1 millisecond'`;
  const { rows } = await sql<
    Record<string, unknown>
  >`select ${columnsOf(collection)} from ${tableOf(collection)} t where ${stands(collection)} and ${fromSql} and ${toSql}`.execute(
    tx,
  );
  const keyed = rows.map((record) => {
    const row = asRow(record) as unknown as CollectionRow<Name>;
    return { row, key: rangeKey(row as unknown as { createdAt: string; id: string }) };
  });
  return keyed
    .filter(({ key }) => key >= from && (to === undefined || key < to))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ row }) => row);
}

export async function countCollectionRows(tx: Sql, collection: CollectionName): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from ${tableOf(collection)} t where ${stands(collection)}`.execute(tx);
  return rows[0]?.n ?? 0;
}

/** How many rows of the collection changed after `version`, counted up to `max`. */
export async function countChanges(
  tx: Sql,
  collection: CollectionName,
  version: string,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from
    (select 1 from sync_change where shelf = ${collection} and shelf_version > ${version} limit ${most}) changed`.execute(
    tx,
  );
  return rows[0]?.n ?? 0;
}

/**
 * Range keys of the rows that changed after `version`, whether or not they are still in the collection; undefined where a row is gone for
 * good.
 */
export async function readChangedKeys(
  tx: Sql,
  collection: CollectionName,
  version: string,
): Promise<(string | undefined)[]> {
  const { rows } = await sql<{
    id: string;
    createdAt: Date | null;
  }>`select c.entity_id as id, t.created_at as "createdAt"
    from sync_change c left join ${tableOf(collection)} t on ${spokenOf(collection)} where c.shelf = ${collection} and c.shelf_version > ${version}`.execute(
    tx,
  );
  return rows.map(({ id, createdAt }) =>
    createdAt === null ? undefined : rangeKey({ id, createdAt: createdAt.toISOString() }),
  );
}

/** What changed in the collection after `version`: rows that are in it, and ids of those that left it. */
export async function readCollectionDelta<Name extends CollectionName>(
  tx: Sql,
  collection: Name,
  version: string,
): Promise<{ puts: CollectionRow<Name>[]; removes: string[] }> {
  const { rows } = await sql<Record<string, unknown>>`select c.entity_id as "changedId", ${columnsOf(collection)}
    from sync_change c left join ${tableOf(collection)} t on ${spokenOf(collection)} and ${stands(collection)}
    where c.shelf = ${collection} and c.shelf_version > ${version} order by c.shelf_version, c.entity_id`.execute(tx);
  const puts: CollectionRow<Name>[] = [];
  const removes: string[] = [];
  for (const { changedId, ...record } of rows) {
    if (record['id'] === null) removes.push(String(changedId));
    else puts.push(asRow(record) as unknown as CollectionRow<Name>);
  }
  return { puts, removes };
}
