import { type RawBuilder, sql as rawSql } from 'kysely';
import { type AudiencePath, type TableDefinition } from '../../shared/tables/define-table.ts';
import { tables, type PrivateTableName, type RowOf } from '../../shared/tables/index.ts';
import { columnName } from '../db/column-name.ts';
import type { Sql } from '../db/database.ts';
import { asRow, columnSql } from '../db/rows.ts';
import { amongIds } from './among-ids.ts';

const definitionOf = (table: PrivateTableName) => tables[table] as unknown as TableDefinition<string, { id: string }>;

/** Condition on the row `t`: is this person in its audience now? From the same paths as the commit triggers. */
export function visibleSql(table: PrivateTableName, userId: string): RawBuilder<boolean> {
  const paths = definitionOf(table).audience.map((path) => pathSql(path, userId));
  return rawSql<boolean>`(${rawSql.join(paths, rawSql` or `)})`;
}

function pathSql(path: AudiencePath, userId: string): RawBuilder<boolean> {
  if (!('through' in path)) return rawSql<boolean>`t.${rawSql.ref(columnName(path.column))} = ${userId}::uuid`;
  return rawSql<boolean>`exists (select 1 from ${rawSql.table(path.through)} x
    where x.${rawSql.ref(columnName(path.match))} = t.id and x.${rawSql.ref(columnName(path.column))} = ${userId}::uuid)`;
}

/** The columns of the row `t` as this person may see them: columns for other people never leave the database. */
export function maskedColumnsSql(table: PrivateTableName, userId: string): RawBuilder<unknown> {
  const { columns, onlyFor } = definitionOf(table);
  const only: { readonly [column: string]: string | undefined } = onlyFor;
  const masked = columns.map((column: string) => {
    const value = columnSql(table, column, 't');
    const owner = only[column];
    if (owner === undefined) return rawSql`${value} as ${rawSql.ref(column)}`;
    return rawSql`case when t.${rawSql.ref(columnName(owner))} = ${userId}::uuid then ${value} end as ${rawSql.ref(column)}`;
  });
  return rawSql.join(masked);
}

/** Those of the rows that this person may see now, as they may see them; the others' ids are not among the answer. */
export async function visibleRows<Name extends PrivateTableName>(
  sql: Sql,
  table: Name,
  ids: readonly string[],
  userId: string,
): Promise<RowOf<Name>[]> {
  if (ids.length === 0) return [];
  const { rows } = await rawSql<
    Record<string, unknown>
  >`select ${maskedColumnsSql(table, userId)} from ${rawSql.table(table)} t
    where ${amongIds('t.id', ids)} and ${visibleSql(table, userId)} order by t.id`.execute(sql);
  return rows.map((record) => asRow<Name>(record));
}
