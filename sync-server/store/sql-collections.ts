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
import { readTowns } from '../db/read-towns.ts';
import type { CollectionHead, CollectionReads, Place, StoredEntry } from './collection-tables.ts';
import { ownRegions } from './own-regions.ts';

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

/** Is the row aliased `t` in one of these regions? By an index, where they are known ones. */
function isInRegions(collection: CollectionName, regions: readonly string[]): RawBuilder<boolean> {
  const { table, townColumn } = collections[collection] as CollectionDefinition;
  if (townColumn === undefined || regions.includes(''))
    return rawSql<boolean>`${regionSql(collection)} = any(${[...regions]})`;
  const town = columnSql(table, townColumn, 't');
  return rawSql<boolean>`${town} in (select town.id from reference town where town.region = any(${[...regions]}))`;
}

/** The lines of `sync_change` after a version; of rows that are or were in one of these regions, each by an index. */
function changedSince(collection: CollectionName, version: string, regions: readonly string[] | undefined) {
  const since = rawSql`select * from sync_change where shelf = ${collection} and shelf_version > ${version}`;
  if (regions === undefined) return rawSql`(${since})`;
  const wanted = [...regions];
  return rawSql`(${since} and shelf_region = any(${wanted})
    union all ${since} and shelf_left && ${wanted}::text[] and not coalesce(shelf_region = any(${wanted}), false))`;
}

const asPlace = ({ region, left }: { region: string | null; left: string[] | null }): Place => ({
  region: region ?? '',
  left: left ?? [],
});

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
    async readManifest(collection, known) {
      const isKnown =
        known?.builtAt === undefined
          ? rawSql`false`
          : rawSql`version = ${known.version} and sealed_at = ${known.builtAt} and shape = ${known.shape}`;
      const { rows } = await rawSql<{
        version: string;
        shape: string;
        segments: StoredEntry[] | null;
        sealed_at: Date | null;
        timeline: string | null;
      }>`
        select version, shape, case when not (${isKnown}) then segments end as segments, sealed_at,
          (select meta.lineage from sync_meta meta where not ${isOfOtherDatabase}) as timeline
        from shelf_manifest where shelf = ${collection}`.execute(sql);
      const [found] = rows;
      if (found === undefined) return { version: '0', shape: '', entries: [], builtAt: undefined, timeline: undefined };
      return {
        version: found.version,
        shape: found.shape,
        entries: found.segments ?? known?.entries ?? [],
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
      const inRegion = region === undefined ? rawSql`true` : isInRegions(collection, [region]);
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

    async countByRange(collection, edges, isByRegion, regions) {
      const key = isByRegion ? rawSql`${regionSql(collection)} || '/' || ${keySql}` : keySql;
      const { rows } = await rawSql<{
        range: number;
        n: number;
      }>`select width_bucket((${key}) collate "C", ${[...edges]}::text[]) as range, count(*)::int as n
        from ${tableOf(collection)} t where ${stands(collection)} and ${regions === undefined ? rawSql`true` : isInRegions(collection, regions)} group by 1`.execute(
        sql,
      );
      const counted = new Map(rows.map(({ range, n }) => [range, n]));
      return edges.map((_edge, at) => counted.get(at + 1) ?? 0);
    },

    async countChanges(collection, version, max, regions) {
      const { rows } = await rawSql<{ n: number }>`select count(*)::int as n from
        (select 1 from ${changedSince(collection, version, regions)} since limit ${max}) changed`.execute(sql);
      return rows[0]?.n ?? 0;
    },

    async readChangedRows(collection, version) {
      const { rows } = await rawSql<{
        id: string;
        createdAt: Date | null;
        region: string | null;
        left: string[] | null;
      }>`select c.entity_id as id, t.created_at as "createdAt", c.shelf_region as region, c.shelf_left as left
        from ${changedSince(collection, version, undefined)} c left join ${tableOf(collection)} t on ${spokenOf(collection)}`.execute(
        sql,
      );
      return rows.map(({ id, createdAt, ...place }) => ({
        id,
        createdAt: createdAt?.toISOString(),
        ...asPlace(place),
      }));
    },

    async readOwnRegions(userId) {
      const towns = await readTowns(sql);
      const business = await sql
        .selectFrom('users as u')
        .innerJoin('tradies as own', 'own.id', 'u.tradie_id')
        .select('own.location_id as town')
        .where('u.id', '=', userId)
        .executeTakeFirst();
      const searches = await sql
        .selectFrom('searches')
        .select(['region', 'location_id as locationId', 'within_km as withinKm'])
        .where('user_id', '=', userId)
        .where('removed_at', 'is', null)
        .orderBy('id')
        .execute();
      return ownRegions(business?.town, searches, towns);
    },

    async readCollectionDelta<Name extends CollectionName>(
      collection: Name,
      version: string,
      regions?: readonly string[],
    ) {
      const { rows } = await rawSql<
        Record<string, unknown>
      >`select c.entity_id as "changedId", c.shelf_region as "changedRegion", c.shelf_left as "changedLeft", ${columnsOf(collection)}
        from ${changedSince(collection, version, regions)} c
        left join ${tableOf(collection)} t on ${spokenOf(collection)} and ${stands(collection)}
        order by c.shelf_version, c.entity_id`.execute(sql);
      const puts: CollectionRow<Name>[] = [];
      const removes: string[] = [];
      const places = new Map<string, Place>();
      for (const { changedId, changedRegion, changedLeft, ...record } of rows) {
        places.set(
          String(changedId),
          asPlace({ region: changedRegion as string | null, left: changedLeft as string[] | null }),
        );
        if (record['id'] === null) removes.push(String(changedId));
        else puts.push(asCollectionRow<Name>(record));
      }
      return { puts, removes, places };
    },
  };
}
