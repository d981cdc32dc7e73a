import { sql as rawSql, type RawBuilder } from 'kysely';
import type { RowOf, TableName } from '../../shared/tables/index.ts';
import type { Sql } from '../db/database.ts';
import { asRow, columnsSql } from '../db/rows.ts';

/** Rows of a synced table as their shared row has them. `where` and `order` speak of the alias `t`. */
export async function readRows<Name extends TableName>(
  sql: Sql,
  table: Name,
  where: RawBuilder<unknown>,
  order: RawBuilder<unknown> = rawSql`t.created_at desc, t.id desc`,
): Promise<RowOf<Name>[]> {
  const { rows } = await rawSql<Record<string, unknown>>`select ${columnsSql(table, 't')}
    from ${rawSql.table(table)} t where ${where} order by ${order}`.execute(sql);
  return rows.map((row) => asRow<Name>(row));
}

/** One row by its id, held until the transaction ends. */
export async function holdRow<Name extends TableName>(
  sql: Sql,
  table: Name,
  id: string,
): Promise<RowOf<Name> | undefined> {
  const { rows } = await rawSql<Record<string, unknown>>`select ${columnsSql(table, 't')}
    from ${rawSql.table(table)} t where t.id = ${id} for no key update`.execute(sql);
  return rows[0] === undefined ? undefined : asRow<Name>(rows[0]);
}

/** One row by its id. */
export async function readRow<Name extends TableName>(
  sql: Sql,
  table: Name,
  id: string,
): Promise<RowOf<Name> | undefined> {
  const [row] = await readRows(sql, table, rawSql`t.id = ${id}`);
  return row;
}
