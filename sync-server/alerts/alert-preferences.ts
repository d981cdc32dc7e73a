import { defaultPreferences } from '../../shared/tables/preferences.ts';
import type { Preferences } from '../../shared/tables/index.ts';
import type { Sql } from '../db/database.ts';

/** How a person wants to be told of news. Hours of the clock in New Zealand. */
export type AlertPreferences = Pick<
  Preferences,
  'pushInterests' | 'pushJobs' | 'mailJobs' | 'quietFrom' | 'quietTo' | 'alertsPerDay'
>;

export async function readPreferences(sql: Sql, userId: string): Promise<AlertPreferences> {
  const chosen = await sql
    .selectFrom('preferences')
    .select([
      'push_interests as pushInterests',
      'push_jobs as pushJobs',
      'mail_jobs as mailJobs',
      'quiet_from as quietFrom',
      'quiet_to as quietTo',
      'alerts_per_day as alertsPerDay',
    ])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return chosen ?? defaultPreferences(userId);
}
