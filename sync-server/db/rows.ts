import { type RawBuilder, sql as rawSql } from 'kysely';
import { type RowOf, type TableName, tables } from '../../shared/tables/index.ts';
import { columnName } from './column-name.ts';

/* Shared rows out of PostgreSQL: they come as the shared row schemas have them (ISO instants, dollars as numbers). */

/** Columns of exact decimals. A test holds this list to the database. */
export const decimalColumns: { readonly [Name in TableName]?: readonly (keyof RowOf<Name>)[] } = {
  jobs: ['budgetMin', 'budgetMax'],
};

export const columnsOf = (table: TableName): readonly string[] => tables[table].columns;

/** A column of `alias`, as it is to be read. */
export function columnSql(table: TableName, column: string, alias: string): RawBuilder<unknown> {
  const stored = rawSql.ref(`${alias}.${columnName(column)}`);
  const decimals: readonly string[] | undefined = decimalColumns[table];
  return decimals?.includes(column) ? rawSql`${stored}::float8` : stored;
}

/** Every column of the table, under its shared name. */
export function columnsSql(table: TableName, alias: string): RawBuilder<unknown> {
  return rawSql.join(
    columnsOf(table).map((column) => rawSql`${columnSql(table, column, alias)} as ${rawSql.ref(column)}`),
  );
}

/** What the driver handed out, as a shared row. Only `columnsSql` and `columnSql` select what fits. */
export function asRow<Name extends TableName>(record: Record<string, unknown>): RowOf<Name> {
  const row = { ...record };
  for (const column in row) {
    const value = row[column];
    if (value instanceof Date) row[column] = value.toISOString();
  }
  return row as RowOf<Name>;
}
