import { sql as rawSql } from 'kysely';
import type { Sql, TransactionOptions } from './database.ts';

/**
 * `Database.transaction` for both drivers. The query builder's own transaction, not the ORM's: that one keeps the
 * connection for ever where BEGIN, COMMIT or ROLLBACK fails on it, and after ten lost connections the pool is empty.
 */
export function inTransaction(db: Sql, kind: 'postgres' | 'pglite') {
  return async <T>(work: (sql: Sql) => Promise<T>, options: TransactionOptions = {}): Promise<T> => {
    const snapshot = options.mode === 'snapshot';
    const transaction = snapshot
      ? db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
      : db.transaction();
    let failed: { why: unknown } | undefined;
    try {
      return await transaction.execute(async (sql) => {
        try {
          // PGlite's dialect opens every transaction with a bare BEGIN, whatever it was asked for.
          if (snapshot && kind === 'pglite')
            await rawSql`set transaction isolation level repeatable read, read only`.execute(sql);
          return await work(sql);
        } catch (why) {
          failed = { why };
          throw why;
        }
      });
    } catch (error) {
      // A ROLLBACK that fails as well must not hide why there was one.
      throw failed === undefined ? error : failed.why;
    }
  };
}
