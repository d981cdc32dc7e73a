import { type RawBuilder, sql as rawSql } from 'kysely';
import { type RowOf, type TableName, tables } from '../../shared/tables/index.ts';
import { columnName } from './column-name.ts';
import type { Sql } from './database.ts';

/*
 * Shared rows in and out of PostgreSQL. Rows go in as one JSON parameter however many there are, and PostgreSQL turns each
 * value into its column's type; they come out as the shared row schemas have them (ISO instants, dollars as numbers).
 */

/** Columns of exact decimals. A test holds this list to the database. */
export const decimalColumns: { readonly [Name in TableName]?: readonly (keyof RowOf<Name>)[] } = { jobs: ['budgetMin', 'budgetMax'] };

const columnsOf = (table: TableName): readonly string[] => tables[table].columns;

/** A column of `alias`, as it is to be read. */
export function columnSql(table: TableName, column: string, alias: string): RawBuilder<unknown> {
  const stored = rawSql.ref(`${alias}.${columnName(column)}`);
  const decimals: readonly string[] | undefined = decimalColumns[table];
  return decimals?.includes(column) ? rawSql`${stored}::float8` : stored;
}

/** Every column of the table, under its shared name. */
export function columnsSql(table: TableName, alias: string): RawBuilder<unknown> {
  return rawSql.join(columnsOf(table).map((column) => rawSql`${columnSql(table, column, alias)} as ${rawSql.ref(column)}`));
}

/** What the driver handed out, as a shared row. Only `columnsSql` and `columnSql` select what fits. */
export function asRow<Name extends TableName>(record: Record<string, unknown>): RowOf<Name> {
  const row: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(record)) row[column] = value instanceof Date ? value.toISOString() : value;
  return row as RowOf<Name>;
}

function asJson(rows: readonly object[]): string {
  return JSON.stringify(rows.map((row) => Object.fromEntries(Object.entries(row).map(([column, value]) => [columnName(column), value]))));
}

/** Inserts rows, in one statement. */
export async function insertRows<Name extends TableName>(sql: Sql, table: Name, rows: readonly RowOf<Name>[]): Promise<void> {
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
  const slim = rows.map((row) => Object.fromEntries(['id' as const, ...columns].map((column) => [column, row[column as keyof typeof row]])));
  const set = rawSql.join(columns.map((column) => rawSql`${rawSql.ref(columnName(column))} = written.${rawSql.ref(columnName(column))}`));
  const result = await rawSql`update ${rawSql.table(table)} as stored set ${set}
    from jsonb_populate_recordset(null::${rawSql.table(table)}, ${asJson(slim)}::jsonb) written where stored.id = written.id`.execute(sql);
  if (result.numAffectedRows !== BigInt(rows.length)) throw new Error(`${table}: ${rows.length} rows to update, ${String(result.numAffectedRows)} there`);
}
