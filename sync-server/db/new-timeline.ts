import { sql as rawSql } from 'kysely';
import type { Sql } from './database.ts';
import { advisoryLocks } from './advisory-locks.ts';
import { SYNC_CHANNEL } from './sync-triggers.ts';

/**
 * Begins a new life of the database, after it was set back to an earlier state (S5): every device is told to begin anew, and sends what
 * it still holds. Its versions begin above all that any earlier life can have drawn, at the microseconds of the clock: a phone that keeps
 * a version and not whose it is (an app of before, signed out) then takes what is new for newer, and what it has for too old. Servers
 * that run hear of it as of any commit.
 *
 * Inside a transaction where anybody else could commit meanwhile.
 */
export async function startNewTimeline(sql: Sql): Promise<string> {
  // A commit under way would otherwise draw from before and end after.
  await rawSql`select pg_advisory_xact_lock(${advisoryLocks.commit})`.execute(sql);
  const { rows } = await rawSql<{ lineage: string }>`with began as (select setval('public.sync_version',
      greatest(nextval('public.sync_version'), (extract(epoch from clock_timestamp()) * 1000000)::bigint)) as at)
    update sync_meta set lineage = gen_random_uuid(), tombstone_floor = greatest(tombstone_floor, began.at) from began returning lineage`.execute(sql);
  const [meta] = rows;
  if (meta === undefined) throw new Error('this database has no sync_meta: it was never migrated');
  await rawSql`select pg_notify(${SYNC_CHANNEL}, '')`.execute(sql);
  return meta.lineage;
}
