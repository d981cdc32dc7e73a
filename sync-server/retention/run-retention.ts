import { sql as rawSql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Log } from '../log.ts';
import type { Forgotten, RetentionJob } from './retention-job.ts';

/** Any number, as long as it stays. */
const RETENTION_LOCK = 7_204_113_552;

export interface RetentionParts {
  database: Database;
  clock: () => Date;
  log: Pick<Log, 'info' | 'error'>;
  retention: readonly RetentionJob[];
}

export interface Retained {
  job: string;
  says: string;
  /** How many were forgotten; of a dry run, how many would be. */
  count: number;
  /** Another instance was at it, and nothing was done here; or it failed, and the log says how. */
  state: 'done' | 'dry' | 'busy' | 'failed';
}

/**
 * Forgets what is past its days, one job after the other, one instance at a time (an advisory lock each transaction). A job that
 * fails does not hold the others up.
 */
export async function runRetention({ database, clock, log, retention }: RetentionParts, { dryRun }: { dryRun: boolean }): Promise<Retained[]> {
  const found: Retained[] = [];
  for (const job of retention) {
    const { name, says } = job;
    try {
      found.push({ job: name, says, ...(dryRun ? { count: await job.count(database.sql, clock()), state: 'dry' } : await runJob(database, clock(), job)) });
    } catch (error) {
      log.error({ job: name, err: error }, 'could not forget what is past its days; trying again');
      found.push({ job: name, says, count: 0, state: 'failed' });
    }
  }
  if (!dryRun) log.info({ forgotten: Object.fromEntries(found.map(({ job, count, state }) => [job, state === 'done' ? count : state])) }, 'retention');
  return found;
}

async function runJob(database: Database, now: Date, job: RetentionJob): Promise<Pick<Retained, 'count' | 'state'>> {
  let total = 0;
  for (;;) {
    const forgotten = await database.transaction(async (sql): Promise<Forgotten | undefined> => {
      const { rows } = await rawSql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${RETENTION_LOCK}) as mine`.execute(sql);
      if (rows[0]?.mine !== true) return undefined;
      const done = await job.forget(sql, now);
      await rawSql`insert into retention_run (job, finished_at, removed) values (${job.name}, ${now}, ${total + done.count})
        on conflict (job) do update set finished_at = excluded.finished_at, removed = excluded.removed`.execute(sql);
      return done;
    });
    if (forgotten === undefined) return { count: total, state: 'busy' };
    await forgotten.after?.();
    total += forgotten.count;
    if (forgotten.count === 0) return { count: total, state: 'done' };
  }
}
