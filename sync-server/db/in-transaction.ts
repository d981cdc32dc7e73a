import { IsolationLevel } from '@mikro-orm/core';
import { sql as rawSql } from 'kysely';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { Sql, TransactionOptions } from './database.ts';

/** `Database.transaction` for both drivers: one EntityManager fork, flushed before COMMIT, and the query builder bound to it. */
export function inTransaction(orm: MikroORM, kind: 'postgres' | 'pglite') {
  return async <T>(work: (sql: Sql, em: EntityManager) => Promise<T>, options: TransactionOptions = {}): Promise<T> => {
    const snapshot = options.mode === 'snapshot';
    const settings = snapshot ? { isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true } : {};
    return orm.em.fork().transactional(async (em) => {
      const sql: Sql = em.getKysely();
      // PGlite's dialect opens every transaction with a bare BEGIN, whatever it was asked for.
      if (snapshot && kind === 'pglite') await rawSql`set transaction isolation level repeatable read, read only`.execute(sql);
      return work(sql, em);
    }, settings);
  };
}
