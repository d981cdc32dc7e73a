import { type Expression, type ExpressionBuilder, sql as rawSql, type SqlBool } from 'kysely';
import type { Sql } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { maxAtOnce } from '../../ports/retention-job.ts';

interface ExpiredRows {
  count(sql: Sql, now: Date): Promise<number>;
  /** Deletes `maxAtOnce` of them at most, and returns how many. */
  forget(sql: Sql, now: Date): Promise<number>;
}

type IsOld<Table extends keyof Schema> = (row: ExpressionBuilder<Schema, Table>, now: Date) => Expression<SqlBool>;

/** The rows of one table that are past their retention. */
export function expiredRows<Table extends keyof Schema>(table: Table, isOld: IsOld<Table>): ExpiredRows {
  // The builder's types follow no table that is a parameter, so this one stands for each of them.
  const name = table as 'sync_mutation';
  const select = (sql: Sql, now: Date) =>
    sql.selectFrom(name).where((row) => isOld(row as unknown as ExpressionBuilder<Schema, Table>, now));
  return {
    async count(sql, now) {
      const { old } = await select(sql, now)
        .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('old'))
        .executeTakeFirstOrThrow();
      return old;
    },
    async forget(sql, now) {
      const ctid = rawSql.ref('ctid');
      const some = select(sql, now).select(ctid.as('ctid')).limit(maxAtOnce);
      const gone = await sql
        .deleteFrom(name)
        .where(rawSql<boolean>`${ctid} = any(array(${some}))`)
        .executeTakeFirstOrThrow();
      return Number(gone.numDeletedRows);
    },
  };
}
