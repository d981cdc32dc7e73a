import { sql as rawSql } from 'kysely';
import type { Log } from '../lib/log.ts';
import type { Database } from './database.ts';

/**
 * Milliseconds between two reads of the database's clock: a process's clock drifts by some milliseconds in that time.
 */
const every = 30_000;
/** Milliseconds: an answer that took longer is too inexact. */
const maxTripMs = 1_000;

export interface DatabaseClock {
  now: () => Date;
  close(): void;
}

/**
 * The database's time, for whatever instances must agree on: limits, the end of a subscription, leases, retention.
 * Between two reads it runs on this process's own steady clock, so a machine whose clock is wrong, or is set, changes
 * nothing. The embedded database runs in this process and has its time.
 *
 * @throws where the database does not say its time at the start.
 */
export async function openDatabaseClock(database: Database, log: Pick<Log, 'warn'>): Promise<DatabaseClock> {
  if (database.kind === 'pglite') return { now: () => new Date(), close: () => undefined };
  /** What to add to this process's clock. */
  let offset: number | undefined;

  async function look(): Promise<void> {
    const before = performance.now();
    const { rows } = await rawSql<{
      ms: number;
    }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(database.sql);
    const after = performance.now();
    if (offset === undefined || after - before < maxTripMs) offset = rows[0]!.ms - (before + after) / 2;
  }

  await look();
  const timer = setInterval(() => {
    look().catch((error: unknown) =>
      log.warn({ err: error }, 'the database did not say its time; the last one counts on'),
    );
  }, every).unref();
  return { now: () => new Date(performance.now() + (offset ?? 0)), close: () => clearInterval(timer) };
}
