import { sql as rawSql } from 'kysely';
import type { Sql } from './database.ts';

/**
 * Begins a new life of the database, after it was set back to an earlier state (S5). Versions will be drawn a second time, with other
 * rows behind them: every device is told to begin anew, and sends what it still holds.
 */
export async function beginNewLineage(sql: Sql): Promise<string> {
  const { rows } = await rawSql<{ lineage: string }>`update sync_meta set lineage = gen_random_uuid() returning lineage`.execute(sql);
  const [meta] = rows;
  if (meta === undefined) throw new Error('this database has no sync_meta: it was never migrated');
  return meta.lineage;
}
