import { sql as rawSql } from 'kysely';
import type { PrivateTableName } from '../../shared/tables/index.ts';
import { advisoryLocks } from '../db/advisory-locks.ts';
import { isOfOtherDatabase } from '../db/database-identity.ts';
import type { Sql } from '../db/database.ts';
import { asRow, columnsSql } from '../db/rows.ts';
import type { Change, Commits, SyncTx } from './sync-store.ts';

type ChangeCalls = Pick<
  SyncTx,
  | 'readHead'
  | 'readPosition'
  | 'changesAfter'
  | 'changesOf'
  | 'toldUntil'
  | 'commitsAfter'
  | 'readTimelines'
  | 'changedAfter'
  | 'isBelowFloor'
  | 'purgeRemovals'
>;

interface ChangeLine {
  entity: PrivateTableName;
  entity_id: string;
  version: string;
  deleted: boolean;
}

const asChange = ({ entity, entity_id: id, version, deleted }: ChangeLine): Change => ({
  table: entity,
  id,
  version,
  isRemoved: deleted,
});

/** The head in the one row of sync_meta; purged removals count as well. */
export const headOf = (meta: string) =>
  rawSql<string>`greatest(${rawSql.ref(`${meta}.tombstone_floor`)}, (select max(version) from sync_change))`;

/** A row that changed and that this person began to see meanwhile is one change, by the later of both. */
const eachOnce = rawSql`select entity, entity_id, max(version) as version, bool_or(deleted) as deleted from mine group by entity, entity_id`;

/** The order of commits, and what they changed for whom, in PostgreSQL. */
export function sqlChanges(sql: Sql): ChangeCalls {
  return {
    async readHead() {
      const { rows } = await rawSql<{
        head: string;
      }>`select ${headOf('sync_meta')} as head from sync_meta`.execute(sql);
      return rows[0]?.head ?? '0';
    },

    async readPosition(userId) {
      const { rows } = await rawSql<
        Record<string, unknown> & {
          timeline: string;
          floor: string;
          head: string;
          isOfOtherDatabase: boolean;
          cookieKey: string;
        }
      >`
        select meta.lineage as timeline, meta.tombstone_floor as floor, ${isOfOtherDatabase} as "isOfOtherDatabase", meta.cookie_key as "cookieKey", ${columnsSql('users', 't')},
          ${headOf('meta')} as head
        from sync_meta meta join users t on t.id = ${userId}`.execute(sql);
      if (rows[0] === undefined) return undefined;
      const { timeline, floor: tombstoneFloor, head, isOfOtherDatabase: isMoved, cookieKey, ...person } = rows[0];
      return { person: asRow<'users'>(person), position: { head, timeline, tombstoneFloor, isMoved, cookieKey } };
    },

    async changesAfter(userId, version, limit) {
      // MATERIALIZED keeps the limit from making the planner walk all people's changes from `version` on.
      const { rows } = await rawSql<ChangeLine>`with mine as materialized (
          select entity, entity_id, version, deleted from sync_change where audience @> array[${userId}::uuid] and version > ${version}
          union all
          select entity, entity_id, version, false from sync_access where person = ${userId} and version > ${version}
        ) ${eachOnce} order by version limit ${limit}`.execute(sql);
      return rows.map(asChange);
    },

    async changesOf(userId, version) {
      const { rows } = await rawSql<ChangeLine>`with mine as materialized (
          select entity, entity_id, version, deleted from sync_change where audience @> array[${userId}::uuid] and version = ${version}
          union all
          select entity, entity_id, version, false from sync_access where person = ${userId} and version = ${version}
        ) ${eachOnce}`.execute(sql);
      return rows.map(asChange);
    },

    async toldUntil(userId, version) {
      const { rows } = await rawSql<ChangeLine>`select entity, entity_id, version, false as deleted from sync_access
        where person = ${userId} and version <= ${version}`.execute(sql);
      return rows.map(asChange);
    },

    async commitsAfter(version) {
      const { rows } = await rawSql<Omit<Commits, 'collections'> & { shelves: string[] }>`
        with changed as materialized (select version, entity, entity_id, audience, case when shelf_version > ${version} then shelf end as shelf from sync_change where version > ${version})
        select meta.lineage as timeline, ${isOfOtherDatabase} as "isMoved", ${headOf('meta')} as head,
          array(select unnest(audience)::text from changed union select person::text from sync_access where version > ${version}) as people,
          array(select entity_id from changed where entity = 'users') as accounts,
          array(select distinct shelf from changed where shelf is not null) as shelves
        from sync_meta meta`.execute(sql);
      const { shelves: collections, ...commits } = rows[0]!;
      return { ...commits, collections };
    },

    async changedAfter(table, ids, version) {
      const { rows } = await rawSql<{ id: string }>`select entity_id as id from sync_change
        where entity = ${table} and entity_id = any(${[...ids]}::text[]) and version > ${version}`.execute(sql);
      return new Set(rows.map(({ id }) => id));
    },

    readTimelines: () =>
      sql
        .selectFrom('sync_timeline')
        .select(['lineage as timeline', 'previous', 'point', 'first', 'began_at as beganAt'])
        .execute(),

    async isBelowFloor(version) {
      const { rows } = await rawSql<{
        below: boolean;
      }>`select tombstone_floor > ${version} as below from sync_meta`.execute(sql);
      return rows[0]?.below === true;
    },

    async purgeRemovals(before) {
      // Commits write these rows under the same lock, so neither waits for the other's rows.
      await rawSql`select pg_advisory_xact_lock(${advisoryLocks.commit})`.execute(sql);
      const { rows } = await rawSql<{
        purged: number;
      }>`with gone as (delete from sync_change where ${isPurgeable(before)}
          returning entity, entity_id, version),
          seen as (delete from sync_access access using gone where access.entity = gone.entity and access.entity_id = gone.entity_id),
          raised as (update sync_meta set tombstone_floor = greatest(tombstone_floor, (select max(version) from gone)) where exists (select 1 from gone))
          select count(*)::int as purged from gone`.execute(sql);
      await rawSql`delete from sync_attempt where last_at < ${before}`.execute(sql);
      return rows[0]?.purged ?? 0;
    },
  };
}

/** How many removals `purgeRemovals` would purge. */
export async function countPurgeable(sql: Sql, before: Date): Promise<number> {
  const { rows } = await rawSql<{
    old: number;
  }>`select count(*)::int as old from sync_change where ${isPurgeable(before)}`.execute(sql);
  return rows[0]?.old ?? 0;
}

const isPurgeable = (before: Date) => rawSql`deleted and changed_at < ${before}
  and not exists (select 1 from shelf_manifest manifest where manifest.shelf = sync_change.shelf and manifest.version < sync_change.shelf_version)`;
