import { sql } from 'kysely';
import type { RowOf, TableName } from '../../../shared/tables/index.ts';
import { columnName } from '../column-name.ts';
import type { Sql } from '../database.ts';

/** Rows a statement: few enough that one statement's text stays in the low megabytes. */
const batch = 2_000;

/** Many rows with few statements. Runs inside the caller's transaction. */
export async function insertRows<Name extends TableName>(tx: Sql, table: Name, rows: readonly RowOf<Name>[]): Promise<void> {
  for (let at = 0; at < rows.length; at += batch) {
    const records = rows.slice(at, at + batch).map((row) => Object.fromEntries(Object.entries(row).map(([column, value]) => [columnName(column), value])));
    await sql`insert into ${sql.table(table)} select * from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(records)}::jsonb)`.execute(tx);
  }
}

/** Users and tradies point at each other: their keys are looked at once both are there. */
export async function insertPeople(tx: Sql, { users, tradies }: { users: readonly RowOf<'users'>[]; tradies: readonly RowOf<'tradies'>[] }): Promise<void> {
  await sql`set constraints users_tradie_id_fkey deferred`.execute(tx);
  await insertRows(tx, 'users', users);
  await insertRows(tx, 'tradies', tradies);
  await sql`set constraints users_tradie_id_fkey immediate`.execute(tx);
}
