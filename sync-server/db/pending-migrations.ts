import { sql as rawSql } from 'kysely';
import type { Database } from './database.ts';
import { migrations } from './migrations/index.ts';

/** Names of the migrations this code needs and the database has not got. Throws where the database does not answer. */
export async function pendingMigrations(database: Database): Promise<string[]> {
  const { rows: found } = await rawSql<{
    there: string | null;
  }>`select to_regclass('mikro_orm_migrations')::text as there`.execute(database.sql);
  if (!found[0]?.there) return migrations.map(({ name }) => name);
  const { rows } = await rawSql<{ name: string }>`select name from mikro_orm_migrations`.execute(database.sql);
  const applied = new Set(rows.map(({ name }) => name));
  return migrations.map(({ name }) => name).filter((name) => !applied.has(name));
}
