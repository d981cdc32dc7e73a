import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { RowOf, TableName } from '../../shared/tables/index.ts';
import type { Sql } from '../db/database.ts';
import { asRow, columnsOf, columnSql } from '../db/rows.ts';
import type { Schema } from '../db/schema.ts';

interface Wanted<Name extends TableName> {
  where?: (row: ExpressionBuilder<Schema, Name>) => Expression<SqlBool>;
  /** Ascending; without it the newest come first. */
  order?: readonly (keyof Schema[Name] & string)[];
}

/**
 * Every column of the table. The builder's types follow no table that is a parameter: here it stands for each of them.
 */
function selectFrom(sql: Sql, table: TableName) {
  return sql
    .selectFrom(table as 'jobs')
    .select(columnsOf(table).map((column) => columnSql(table, column, table).as(column)));
}

/** Rows of a synced table as their shared row has them. */
export async function readRows<Name extends TableName>(
  sql: Sql,
  table: Name,
  { where, order }: Wanted<Name> = {},
): Promise<RowOf<Name>[]> {
  let query = selectFrom(sql, table);
  if (where !== undefined) query = query.where(where as unknown as NonNullable<Wanted<'jobs'>['where']>);
  if (order === undefined) query = query.orderBy('created_at', 'desc').orderBy('id', 'desc');
  for (const column of order ?? []) query = query.orderBy(column as 'id');
  return (await query.execute()).map((row) => asRow<Name>(row));
}

/** One row by its id, held until the transaction ends. */
export async function lockRow<Name extends TableName>(
  sql: Sql,
  table: Name,
  id: string,
): Promise<RowOf<Name> | undefined> {
  const row = await selectFrom(sql, table).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  return row && asRow<Name>(row);
}

/** One row by its id. */
export async function readRow<Name extends TableName>(
  sql: Sql,
  table: Name,
  id: string,
): Promise<RowOf<Name> | undefined> {
  const row = await selectFrom(sql, table).where('id', '=', id).executeTakeFirst();
  return row && asRow<Name>(row);
}
