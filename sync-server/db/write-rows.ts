import { sql as rawSql, type Kysely } from 'kysely';
import type { RowOf, TableName } from '../../shared/tables/index.ts';
import { columnName } from './column-name.ts';
import type { Sql } from './database.ts';
import { columnsOf } from './rows.ts';
import type { WritableSchema } from './schema.ts';

/*
 * Shared rows into PostgreSQL: one JSON parameter however many there are, and PostgreSQL turns each value into its
 * column's type. Only
 * `sync/` and the seed call these (a module boundary), so that no row of a synced table changes without validation and
 * a version.
 */

/** The query builder, writing rows of synced tables as well: tests change one behind the server's back. */
export const writable = (sql: Sql) => sql as unknown as Kysely<WritableSchema>;

function asJson(rows: readonly object[]): string {
  return JSON.stringify(
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([column, value]) => [columnName(column), value]))),
  );
}

/** Inserts rows, in one statement. */
export async function insertRows<Name extends TableName>(
  sql: Sql,
  table: Name,
  rows: readonly RowOf<Name>[],
): Promise<void> {
  if (rows.length === 0) return;
  const columns = rawSql.join(columnsOf(table).map((column) => rawSql.ref(columnName(column))));
  await rawSql`insert into ${rawSql.table(table)} (${columns})
    select ${columns} from jsonb_populate_recordset(null::${rawSql.table(table)}, ${asJson(rows)}::jsonb)`.execute(sql);
}

/**
 * Writes the named columns of rows that are there, in one statement.
 *
 * @throws where a row is not there.
 */
export async function updateRows<Name extends TableName>(
  sql: Sql,
  table: Name,
  columns: readonly (keyof RowOf<Name> & string)[],
  rows: readonly RowOf<Name>[],
): Promise<void> {
  if (rows.length === 0 || columns.length === 0) return;
  const slim = rows.map((row) =>
    Object.fromEntries(['id' as const, ...columns].map((column) => [column, row[column as keyof typeof row]])),
  );
  const set = rawSql.join(
    columns.map((column) => rawSql`${rawSql.ref(columnName(column))} = written.${rawSql.ref(columnName(column))}`),
  );
  const result = await rawSql`update ${rawSql.table(table)} as stored set ${set}
    from jsonb_populate_recordset(null::${rawSql.table(table)}, ${asJson(slim)}::jsonb) written where stored.id = written.id`.execute(
    sql,
  );
  if (result.numAffectedRows !== BigInt(rows.length))
    throw new Error(`${table}: ${rows.length} rows to update, ${String(result.numAffectedRows)} there`);
}
