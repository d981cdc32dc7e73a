import type { Database } from '../db/database.ts';
import { recordAlerts } from './record-alerts.ts';

interface AlertOwnerParts {
  database: Database;
  clock: () => Date;
}

/** Has a job's owner told on their phones who is interested, where they have one that is to be told. */
export function createAlertOwner({ database, clock }: AlertOwnerParts) {
  return async ({ interestId }: { interestId: string }): Promise<void> => {
    const interest = await database.sql
      .selectFrom('interests as i')
      .innerJoin('jobs as j', 'j.id', 'i.job_id')
      .select(['j.user_id', 'j.id as job_id'])
      .where('i.id', '=', interestId)
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('push_subscription as p').select('p.id').whereRef('p.user_id', '=', 'j.user_id')),
      )
      .executeTakeFirst();
    if (interest === undefined) return;
    const { user_id: userId, job_id: jobId } = interest;
    await recordAlerts(database, [{ userId, kind: 'interest', subjectId: interestId, jobId }], clock());
  };
}
