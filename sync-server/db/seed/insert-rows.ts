import { sql as rawSql } from 'kysely';
import type { RowOf, TableName } from '../../../shared/tables/index.ts';
import type { Sql } from '../database.ts';
import { insertRows } from '../write-rows.ts';

/** Rows a statement: few enough that one statement's text stays in the low megabytes. */
const batch = 2_000;

/** However many rows, in the caller's transaction. */
export async function insertMany<Name extends TableName>(
  tx: Sql,
  table: Name,
  rows: readonly RowOf<Name>[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += batch) await insertRows(tx, table, rows.slice(at, at + batch));
}

/** Users and tradies point at each other: their keys are looked at once both are there. */
export async function insertPeople(
  tx: Sql,
  { users, tradies }: { users: readonly RowOf<'users'>[]; tradies: readonly RowOf<'tradies'>[] },
): Promise<void> {
  await rawSql`set constraints users_tradie_id_fkey deferred`.execute(tx);
  await insertMany(tx, 'users', users);
  await insertMany(tx, 'tradies', tradies);
  await rawSql`set constraints users_tradie_id_fkey immediate`.execute(tx);
}
