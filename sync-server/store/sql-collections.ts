import { sql as rawSql, type RawBuilder } from 'kysely';
import {
  collectionColumns,
  collections,
  type CollectionDefinition,
  type CollectionName,
  type CollectionRow,
} from '../../shared/tables/collections.ts';
import { columnName } from '../db/column-name.ts';
import { isOfOtherDatabase } from '../db/database-identity.ts';
import type { Sql } from '../db/database.ts';
import { asRow, columnSql } from '../db/rows.ts';
import type { CollectionHead, CollectionReads, StoredEntry } from './collection-tables.ts';

/** The collection's columns of its table, aliased `t`: no other column is ever read for a collection. */
const columnsOf = (collection: CollectionName) =>
  rawSql.join(
    collectionColumns(collection).map(
      (column) => rawSql`${columnSql(collections[collection].table, column, 't')} as ${rawSql.ref(column)}`,
    ),
  );

/** Is the row aliased `t` in the collection? */
function stands(collection: CollectionName): RawBuilder<boolean> {
  const conditions = Object.entries(collections[collection].where).map(
    ([column, value]) => rawSql<boolean>`${rawSql.ref(`t.${columnName(column)}`)} = ${value}`,
  );
  return conditions.length === 0 ? rawSql<boolean>`true` : rawSql.join(conditions, rawSql` and `);
}

/** The region of the row aliased `t`. */
function regionSql(collection: CollectionName): RawBuilder<string> {
  const { table, townColumn } = collections[collection] as CollectionDefinition;
  if (townColumn === undefined) return rawSql<string>`''`;
  const town = columnSql(table, townColumn, 't');
  return rawSql<string>`coalesce((select town.region from reference town where town.id = ${town}), '')`;
}

/** The range key of the row aliased `t`, as `rangeKey` makes it. */
const keySql = rawSql<string>`to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '|' || t.id`;

const tableOf = (collection: CollectionName) => rawSql.table(collections[collection].table);
/** The row that a row of `sync_change`, aliased `c`, is about. */
const spokenOf = (collection: CollectionName) =>
  collection === 'reference' ? rawSql`t.id = c.entity_id` : rawSql`t.id = c.entity_id::uuid`;

const asCollectionRow = <Name extends CollectionName>(record: Record<string, unknown>) =>
  asRow(record) as unknown as CollectionRow<Name>;

/** Shared collections read from PostgreSQL. */
export function sqlCollections(sql: Sql): Omit<CollectionReads, 'isBelowFloor' | 'findSegments' | 'readSegment'> {
  return {
    async readManifest(collection) {
      const { rows } = await rawSql<{
        version: string;
        shape: string;
        segments: StoredEntry[];
        sealed_at: Date | null;
        timeline: string | null;
      }>`
        select version, shape, segments, sealed_at, (select meta.lineage from sync_meta meta where not ${isOfOtherDatabase}) as timeline from shelf_manifest where shelf = ${collection}`.execute(
        sql,
      );
      const [found] = rows;
      if (found === undefined) return { version: '0', shape: '', entries: [], builtAt: undefined, timeline: undefined };
      return {
        version: found.version,
        shape: found.shape,
        entries: found.segments,
        builtAt: found.sealed_at ?? undefined,
        timeline: found.timeline ?? undefined,
      };
    },

    async readCollectionHeads() {
      const { rows } = await rawSql<
        CollectionHead & { shelf: string }
      >`select m.shelf, m.version as built, coalesce((select max(c.shelf_version) from sync_change c where c.shelf = m.shelf), 0) as changed
        from shelf_manifest m`.execute(sql);
      return new Map(rows.map(({ shelf: collection, built, changed }) => [collection, { built, changed }]));
    },

    async readCollectionRows(collection, { from, to, region }) {
      const fromSql = from === undefined ? rawSql`true` : rawSql`t.created_at >= ${from}::timestamptz`;
      // The database may hold finer instants than the bound.
      const toSql =
        to === undefined ? rawSql`true` : rawSql`t.created_at < ${to}::timestamptz + interval '1 millisecond'`;
      const inRegion = region === undefined ? rawSql`true` : rawSql`${regionSql(collection)} = ${region}`;
      const { rows } = await rawSql<
        Record<string, unknown>
      >`select ${columnsOf(collection)} from ${tableOf(collection)} t
        where ${stands(collection)} and ${fromSql} and ${toSql} and ${inRegion}`.execute(sql);
      return rows.map((record) => asCollectionRow<typeof collection>(record));
    },

    async countByRegion(collection) {
      const { rows } = await rawSql<{
        region: string;
        n: number;
      }>`select ${regionSql(collection)} as region, count(*)::int as n from ${tableOf(collection)} t
        where ${stands(collection)} group by 1`.execute(sql);
      return new Map(rows.map(({ region, n }) => [region, n]));
    },

    async countByRange(collection, edges, isByRegion) {
      const key = isByRegion ? rawSql`${regionSql(collection)} || '/' || ${keySql}` : keySql;
      const { rows } = await rawSql<{
        range: number;
        n: number;
      }>`select width_bucket((${key}) collate "C", ${[...edges]}::text[]) as range, count(*)::int as n
        from ${tableOf(collection)} t where ${stands(collection)} group by 1`.execute(sql);
      const counted = new Map(rows.map(({ range, n }) => [range, n]));
      return edges.map((_edge, at) => counted.get(at + 1) ?? 0);
    },

    async countChanges(collection, version, max) {
      const { rows } = await rawSql<{ n: number }>`select count(*)::int as n from
        (select 1 from sync_change where shelf = ${collection} and shelf_version > ${version} limit ${max}) changed`.execute(
        sql,
      );
      return rows[0]?.n ?? 0;
    },

    async readChangedRows(collection, version) {
      const { rows } = await rawSql<{
        id: string;
        createdAt: Date;
        region: string;
      }>`select c.entity_id as id, t.created_at as "createdAt", ${regionSql(collection)} as region
        from sync_change c join ${tableOf(collection)} t on ${spokenOf(collection)}
        where c.shelf = ${collection} and c.shelf_version > ${version}`.execute(sql);
      return rows.map(({ id, createdAt, region }) => ({ id, createdAt: createdAt.toISOString(), region }));
    },

    async readOwnRegions(userId) {
      const { rows } = await rawSql<{ region: string }>`
        select region from (
          select town.region, 0 as turn, '' as id from users u join tradies own on own.id = u.tradie_id
            join reference town on town.id = own.location_id where u.id = ${userId}
          union all
          select coalesce(town.region, search.region), 1, search.id::text from searches search
            left join reference town on town.id = search.location_id where search.user_id = ${userId} and search.removed_at is null
        ) works where region is not null order by turn, id`.execute(sql);
      return [...new Set(rows.map(({ region }) => region))];
    },

    async readCollectionDelta<Name extends CollectionName>(collection: Name, version: string) {
      const { rows } = await rawSql<Record<string, unknown>>`select c.entity_id as "changedId", ${columnsOf(collection)}
        from sync_change c left join ${tableOf(collection)} t on ${spokenOf(collection)} and ${stands(collection)}
        where c.shelf = ${collection} and c.shelf_version > ${version} order by c.shelf_version, c.entity_id`.execute(
        sql,
      );
      const puts: CollectionRow<Name>[] = [];
      const removes: string[] = [];
      for (const { changedId, ...record } of rows) {
        if (record['id'] === null) removes.push(String(changedId));
        else puts.push(asCollectionRow<Name>(record));
      }
      return { puts, removes };
    },
  };
}
