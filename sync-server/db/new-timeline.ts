import { sql as rawSql } from 'kysely';
import type { Sql } from './database.ts';

export interface Timeline {
  lineage: string;
  /** The timeline before it, and the newest version of that one which is here. */
  previous: string;
  point: string;
}

/**
 * Begins a new timeline of the database, after it was restored to an earlier state (S5): every device is reset, and sends what it still
 * holds, and what was acknowledged after the point. Running servers are notified as of any commit. The database is migrated.
 *
 * Inside a transaction where other commits are possible meanwhile.
 *
 * @param known Up to which version it has the timeline before, where that is less than its head: after a restore it was written to.
 */
export async function startNewTimeline(sql: Sql, known?: string): Promise<Timeline> {
  const { rows } = await rawSql<{ lineage: string }>`select sync.begin_timeline(${known ?? null}) as lineage`.execute(
    sql,
  );
  return sql
    .selectFrom('sync_timeline')
    .select(['lineage', 'previous', 'point'])
    .where('lineage', '=', rows[0]!.lineage)
    .executeTakeFirstOrThrow();
}
