import { sql as rawSql } from 'kysely';
import type { PrivateTableName, RowOf } from '../../shared/tables/index.ts';
import type { Database, Sql } from '../db/database.ts';
import { asRow, columnsSql } from '../db/rows.ts';
import { insertRows, updateRows } from '../db/write-rows.ts';

/** What the system may do to the private tables. Every write gets its version at COMMIT and reaches devices like any other. */
export interface SystemTx {
  /** For tables that are not synced, in the same transaction. */
  readonly sql: Sql;
  /** The row, held until the transaction ends. */
  hold<Name extends PrivateTableName>(table: Name, id: string): Promise<RowOf<Name> | undefined>;
  insert<Name extends PrivateTableName>(table: Name, row: RowOf<Name>): Promise<void>;
  /** Changes some columns of a row that is there; nothing where all of them say so already. */
  update<Name extends PrivateTableName>(
    table: Name,
    row: RowOf<Name>,
    changes: Partial<Omit<RowOf<Name>, 'id'>>,
  ): Promise<void>;
}

/** Commits the server's own changes (a payment, a lapse), in one transaction, without authorisation. */
export function asSystem<T>(database: Database, work: (tx: SystemTx) => Promise<T>): Promise<T> {
  return database.transaction((sql) =>
    work({
      sql,
      hold: async <Name extends PrivateTableName>(table: Name, id: string) => {
        const { rows } = await rawSql<
          Record<string, unknown>
        >`select ${columnsSql(table, 't')} from ${rawSql.table(table)} t
          where t.id = ${id}::uuid for no key update`.execute(sql);
        return rows[0] === undefined ? undefined : asRow<Name>(rows[0]);
      },
      insert: (table, row) => insertRows(sql, table, [row]),
      update: async (table, row, changes) => {
        const columns = (Object.keys(changes) as (keyof typeof changes & string)[]).filter(
          (column) => JSON.stringify(changes[column]) !== JSON.stringify(row[column]),
        );
        await updateRows(sql, table, columns as never[], [{ ...row, ...changes }]);
      },
    }),
  );
}
