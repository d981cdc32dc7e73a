import type { Database } from '../db/database.ts';
import type { EffectHandlers } from '../effects/run-effects.ts';
import { matchJob } from './match-job.ts';
import { recordAlerts } from './record-alerts.ts';

/** Has every tradie told whose saved searches find this new job. One that was closed meanwhile is no news. */
export function createAlertTradies({
  database,
  clock,
}: {
  database: Database;
  clock: () => Date;
}): EffectHandlers['job.alerts'] {
  return async ({ jobId }) => {
    const job = await database.sql
      .selectFrom('jobs')
      .select(['id', 'user_id', 'category_id', 'location_id', 'budget_max', 'urgency', 'title', 'description'])
      .where('id', '=', jobId)
      .where('status', '=', 'active')
      .executeTakeFirst();
    if (job === undefined) return;
    const now = clock();
    const people = await matchJob(database.sql, job, now);
    const alerts = people.map((userId) => ({ userId, kind: 'job' as const, subjectId: jobId, jobId }));
    // A few tradies are told at a time: one new job may concern all of them, and exchanges go on beside it.
    for (let from = 0; from < alerts.length; from += atOnce)
      await recordAlerts(database, alerts.slice(from, from + atOnce), now);
  };
}

const atOnce = 500;
