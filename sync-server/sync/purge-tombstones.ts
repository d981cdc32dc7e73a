import { sql as rawSql } from 'kysely';
import { day } from '../../shared/lib/durations.ts';
import type { Sql } from '../db/database.ts';
import { advisoryLocks } from '../db/advisory-locks.ts';
import type { SyncParts } from './sync-parts.ts';

/** Removals are kept so long (S5). */
export const tombstoneMs = 90 * day;

/**
 * Purges old removals, and raises the floor in the same transaction: a cookie from before them is then reset, never left without them. A
 * removal that the collection's snapshot does not contain yet stays: a device that starts from the snapshot still needs it.
 */
export async function purgeTombstones({
  database,
  clock,
  log,
}: Pick<SyncParts, 'database' | 'clock' | 'log'>): Promise<void> {
  const purged = await database.transaction((sql) => forgetRemovals(sql, clock()));
  if (purged > 0) log.info({ purged }, 'forgot old removals');
}

/** `purgeTombstones` inside a transaction of the caller's; how many were purged. */
export async function forgetRemovals(sql: Sql, now: Date): Promise<number> {
  const before = new Date(now.getTime() - tombstoneMs);
  // Commits write these rows under the same lock, so neither waits for the other's rows.
  await rawSql`select pg_advisory_xact_lock(${advisoryLocks.commit})`.execute(sql);
  const { rows } = await rawSql<{ purged: number }>`with gone as (delete from sync_change where ${isForgettable(before)}
      returning version),
      raised as (update sync_meta set tombstone_floor = greatest(tombstone_floor, (select max(version) from gone)) where exists (select 1 from gone))
      select count(*)::int as purged from gone`.execute(sql);
  await rawSql`delete from sync_attempt where last_at < ${before}`.execute(sql);
  return rows[0]?.purged ?? 0;
}

/** How many removals `forgetRemovals` would purge now. */
export async function countRemovals(sql: Sql, now: Date): Promise<number> {
  const { rows } = await rawSql<{
    old: number;
  }>`select count(*)::int as old from sync_change where ${isForgettable(new Date(now.getTime() - tombstoneMs))}`.execute(
    sql,
  );
  return rows[0]?.old ?? 0;
}

const isForgettable = (before: Date) => rawSql`deleted and changed_at < ${before}
        and not exists (select 1 from shelf_manifest sealed where sealed.shelf = sync_change.shelf and sealed.version < sync_change.shelf_version)`;
