import { sql as rawSql } from 'kysely';
import type { Sql } from './database.ts';
import { advisoryLocks } from './advisory-locks.ts';
import { SYNC_CHANNEL } from './sync-triggers.ts';

/**
 * Begins a new timeline of the database, after it was restored to an earlier state (S5): every device is reset, and sends what it still
 * holds. Its versions begin above all that any earlier timeline can have drawn, at the microseconds of the clock: a phone that keeps a
 * version without its timeline (an older app, signed out) then takes what is new for newer, and what it has for too old. Running servers
 * are notified as of any commit.
 *
 * Inside a transaction where other commits are possible meanwhile.
 */
export async function startNewTimeline(sql: Sql): Promise<string> {
  // A commit under way would otherwise draw from before and end after.
  await rawSql`select pg_advisory_xact_lock(${advisoryLocks.commit})`.execute(sql);
  const { rows } = await rawSql<{ lineage: string }>`with began as (select setval('public.sync_version',
      greatest(nextval('public.sync_version'), (extract(epoch from clock_timestamp()) * 1000000)::bigint)) as at)
    update sync_meta set lineage = gen_random_uuid(), tombstone_floor = greatest(tombstone_floor, began.at) from began returning lineage`.execute(
    sql,
  );
  const [meta] = rows;
  if (meta === undefined) throw new Error('this database has no sync_meta: it was never migrated');
  await rawSql`select pg_notify(${SYNC_CHANNEL}, '')`.execute(sql);
  return meta.lineage;
}
