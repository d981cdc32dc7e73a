import { sql as rawSql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Log } from '../../lib/log.ts';
import type { DeletedRows, RetentionBatch, RetentionJob } from '../../ports/retention-job.ts';
import { advisoryLocks } from '../../db/advisory-locks.ts';

export interface RetentionParts {
  database: Database;
  clock: () => Date;
  log: Pick<Log, 'info' | 'error'>;
  retention: readonly RetentionJob[];
}

export interface Retained {
  job: string;
  says: string;
  /** How many were deleted; of a dry run, how many would be. */
  count: number;
  /** Another instance was running it, and nothing was done here; or it failed, and the log says how. */
  state: 'done' | 'dry' | 'busy' | 'failed';
}

/**
 * Deletes what is past its retention, one job after the other, one instance at a time (an advisory lock each
 * transaction). A job that fails does not hold the others up.
 */
export async function runRetention(
  { database, clock, log, retention }: RetentionParts,
  { dryRun }: { dryRun: boolean },
): Promise<Retained[]> {
  const found: Retained[] = [];
  for (const job of retention) {
    const { name, says } = job;
    try {
      found.push({ job: name, says, ...(await (dryRun ? countJob : runJob)(database, clock(), job)) });
    } catch (error) {
      log.error({ job: name, err: error }, 'could not forget what is past its days; trying again');
      found.push({ job: name, says, count: 0, state: 'failed' });
    }
  }
  if (!dryRun)
    log.info(
      { forgotten: Object.fromEntries(found.map(({ job, count, state }) => [job, state === 'done' ? count : state])) },
      'retention',
    );
  return found;
}

async function* portionsOf(job: RetentionJob, now: Date): AsyncGenerator<RetentionBatch> {
  if ('portions' in job) yield* job.portions(now);
  else yield job;
}

async function countJob({ sql }: Database, now: Date, job: RetentionJob): Promise<Pick<Retained, 'count' | 'state'>> {
  let count = 0;
  for await (const portion of portionsOf(job, now)) count += await portion.count(sql, now);
  return { count, state: 'dry' };
}

async function runJob(database: Database, now: Date, job: RetentionJob): Promise<Pick<Retained, 'count' | 'state'>> {
  let count = 0;
  for await (const portion of portionsOf(job, now)) {
    const { state, count: forgotten } = await runPortion(database, now, portion);
    count += forgotten;
    if (state === 'busy') return { count, state };
  }
  const run = { finished_at: now, removed: String(count) };
  await database.sql
    .insertInto('retention_run')
    .values({ job: job.name, ...run })
    .onConflict((conflict) => conflict.column('job').doUpdateSet(run))
    .execute();
  return { count, state: 'done' };
}

async function runPortion(
  database: Database,
  now: Date,
  portion: RetentionBatch,
): Promise<Pick<Retained, 'count' | 'state'>> {
  let total = 0;
  for (;;) {
    const forgotten = await database.transaction(async (sql): Promise<DeletedRows | undefined> => {
      const { rows } = await rawSql<{
        mine: boolean;
      }>`select pg_try_advisory_xact_lock(${advisoryLocks.retention}) as mine`.execute(sql);
      return rows[0]?.mine === true ? portion.forget(sql, now) : undefined;
    });
    if (forgotten === undefined) return { count: total, state: 'busy' };
    await forgotten.after?.();
    total += forgotten.count;
    if (forgotten.count === 0) return { count: total, state: 'done' };
  }
}
