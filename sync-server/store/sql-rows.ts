import { sql as rawSql } from 'kysely';
import type { RowOf } from '../../shared/tables/index.ts';
import { columnName } from '../db/column-name.ts';
import type { Sql } from '../db/database.ts';
import { isOfOtherDatabase } from '../db/database-identity.ts';
import { asRow, columnsSql } from '../db/rows.ts';
import { insertRows, updateRows } from '../db/write-rows.ts';
import { amongIds } from './among-ids.ts';
import { headOf } from './sql-changes.ts';
import type { SyncTx } from './sync-store.ts';

type RowCalls = Pick<
  SyncTx,
  | 'findPeople'
  | 'lockPerson'
  | 'lockRows'
  | 'existingIds'
  | 'readReferences'
  | 'insertRows'
  | 'updateRows'
  | 'countLatelyPosted'
  | 'nextPostAt'
>;

type Loose = Record<string, unknown>;

const lately = rawSql`created_at > now() - interval '24 hours'`;

/** Rows of the synced tables in PostgreSQL. */
export function sqlRows(sql: Sql): RowCalls {
  return {
    async findPeople(userIds) {
      if (userIds.length === 0) return [];
      const { rows } =
        await rawSql<Loose>`select ${columnsSql('users', 't')} from users t where t.id = any(${userIds}::uuid[])`.execute(
          sql,
        );
      return rows.map((record) => asRow<'users'>(record));
    },

    // Other rows may still reference it.
    async lockPerson(userId) {
      const { rows } = await rawSql<
        Loose & { timeline: string; head: string; restoredAt: Date | null; isMoved: boolean }
      >`
        select (select lineage from sync_meta) as timeline, (select ${headOf('m')} from sync_meta m) as head,
          (select ${isOfOtherDatabase} from sync_meta meta) as "isMoved",
          (select begun.began_at from sync_timeline begun join sync_meta meta on meta.lineage = begun.lineage) as "restoredAt", ${columnsSql('users', 't')}
        from users t where t.id = ${userId} for no key update`.execute(sql);
      if (rows[0] === undefined) return undefined;
      const { timeline, head, restoredAt, isMoved, ...person } = rows[0];
      return { person: asRow<'users'>(person), timeline, head, restoredAt, isMoved };
    },

    async lockRows(table, where) {
      const conditions = Object.entries(where).map(([column, ids]) => amongIds(`t.${columnName(column)}`, ids ?? []));
      const { rows } = await rawSql<Loose>`select ${columnsSql(table, 't')} from ${rawSql.table(table)} t
        where ${rawSql.join(conditions, rawSql` and `)} order by t.id for no key update`.execute(sql);
      return rows.map((record) => asRow<typeof table>(record));
    },

    async existingIds(table, ids) {
      const { rows } = await rawSql<{
        id: string;
      }>`select id from ${rawSql.table(table)} where ${amongIds('id', ids)}`.execute(sql);
      return new Set(rows.map(({ id }) => id));
    },

    async readReferences() {
      const { rows } = await rawSql<{ entry: string }>`select kind || ':' || id as entry from reference`.execute(sql);
      return new Set(rows.map(({ entry }) => entry));
    },

    insertRows: (table, rows) => insertRows(sql, table, rows),
    updateRows: (table, columns, rows) => updateRows(sql, table, columns, rows as readonly RowOf<typeof table>[]),

    async countLatelyPosted(userId) {
      const { rows } = await rawSql<{
        posted: number;
      }>`select count(*)::int as posted from jobs where user_id = ${userId} and ${lately}`.execute(sql);
      return rows[0]?.posted ?? 0;
    },

    async nextPostAt(userId, jobsPerDay) {
      // A place is free again when the oldest of the last so many is a day old; where all were posted just now, in a
      // day.
      const { rows } = await rawSql<{
        again: Date;
      }>`select coalesce((select created_at from jobs where user_id = ${userId} and ${lately}
        order by created_at desc offset ${jobsPerDay - 1} limit 1), (select min(created_at) from jobs where user_id = ${userId} and ${lately}), now()) + interval '24 hours' as again`.execute(
        sql,
      );
      return rows[0]!.again;
    },
  };
}
