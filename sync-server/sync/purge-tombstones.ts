import { day } from '../../shared/lib/durations.ts';
import type { Sql } from '../db/database.ts';
import { countPurgeable } from '../store/sql-changes.ts';
import { sqlTx } from '../store/sql-store.ts';
import type { EngineParts } from './sync-parts.ts';

/** Removals are kept so long (S5). */
export const tombstoneMs = 90 * day;

const beforeOf = (now: Date) => new Date(now.getTime() - tombstoneMs);

/**
 * Purges old removals, and raises the floor in the same transaction: a cookie from before them is then reset, never
 * left without them. A removal that the collection's snapshot does not contain yet stays: a device that starts from the
 * snapshot still needs it.
 */
export async function purgeTombstones({
  store,
  clock,
  log,
}: Pick<EngineParts, 'store' | 'clock' | 'log'>): Promise<void> {
  const purged = await store.write((tx) => tx.purgeRemovals(beforeOf(clock())));
  if (purged > 0) log.info({ purged }, 'forgot old removals');
}

/** `purgeTombstones` inside a transaction of the caller's; how many were purged. */
export const forgetRemovals = (sql: Sql, now: Date): Promise<number> => sqlTx(sql).purgeRemovals(beforeOf(now));

/** How many removals `forgetRemovals` would purge now. */
export const countRemovals = (sql: Sql, now: Date): Promise<number> => countPurgeable(sql, beforeOf(now));
