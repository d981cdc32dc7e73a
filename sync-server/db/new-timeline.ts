import { sql as rawSql } from 'kysely';
import type { Sql } from './database.ts';

export interface Timeline {
  timeline: string;
  /** The timeline before it, and the newest version of that one which is here. */
  previous: string;
  point: string;
}

/**
 * Begins a new timeline of the database, after it was restored to an earlier state (S5): every device is reset, and
 * sends what it still holds, and what was acknowledged after the point. Running servers are notified as of any commit.
 * The database is migrated.
 *
 * Inside a transaction where other commits are possible meanwhile.
 *
 * @param known Up to which version it has the timeline before, where that is less than its head: after a restore it was
 * written to.
 */
export async function startNewTimeline(sql: Sql, known?: string): Promise<Timeline> {
  const { rows } = await rawSql<{ timeline: string }>`select sync.begin_timeline(${known ?? null}) as timeline`.execute(
    sql,
  );
  return sql
    .selectFrom('sync_timeline')
    .select(['lineage as timeline', 'previous', 'point'])
    .where('lineage', '=', rows[0]!.timeline)
    .executeTakeFirstOrThrow();
}

/**
 * The same in a copy that is used beside the original from now on, such as one for trials. Both have the key that
 * cookies are signed with, so what the one tells a device would be a proof to the other that it has been superseded
 * (S14): the copy gets a key of its own.
 */
export async function startTimelineApart(sql: Sql, known?: string): Promise<Timeline> {
  await rawSql`update sync_meta set cookie_key = gen_random_uuid()`.execute(sql);
  return startNewTimeline(sql, known);
}
