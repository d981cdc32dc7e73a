import type { PrivateTableName, RowOf } from '../../shared/tables/index.ts';
import type { Database, Sql } from '../db/database.ts';
import { sqlTx } from '../store/sql-store.ts';
import type { RowFilter, SyncTx } from '../store/sync-store.ts';

/**
 * What the system may do to the private tables. Every write gets its version at COMMIT and reaches devices like any
 * other.
 */
export interface SystemRows {
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

export interface SystemTx extends SystemRows {
  /** For tables that are not synced, in the same transaction. */
  readonly sql: Sql;
}

/** Commits the server's own changes (a payment, a lapse), in one transaction, without authorisation. */
export const asSystem = <T>(database: Database, work: (tx: SystemTx) => Promise<T>): Promise<T> =>
  database.transaction((sql) => work({ sql, ...systemRows(sqlTx(sql)) }));

/** The same over a transaction of any store. */
export function systemRows(tx: SyncTx): SystemRows {
  return {
    hold: async <Name extends PrivateTableName>(table: Name, id: string) => {
      const [row] = await tx.lockRows<Name>(table, { id: [id] } as RowFilter<Name>);
      return row;
    },
    insert: (table, row) => tx.insertRows(table, [row]),
    update: async (table, row, changes) => {
      const columns = (Object.keys(changes) as (keyof typeof changes & string)[]).filter(
        (column) => JSON.stringify(changes[column]) !== JSON.stringify(row[column]),
      );
      await tx.updateRows(table, columns as never[], [{ ...row, ...changes }]);
    },
  };
}
