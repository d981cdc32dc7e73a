import { sql as rawSql } from 'kysely';
import type { Sql, TransactionOptions } from './database.ts';

/** `Database.transaction` of the embedded database. The query builder's own: the ORM's hides why BEGIN failed. */
export function inTransaction(db: Sql) {
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
          if (snapshot) await rawSql`set transaction isolation level repeatable read, read only`.execute(sql);
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
