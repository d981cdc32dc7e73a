import { nextNzHour } from '../../shared/lib/nz-time.ts';
import type { Sql } from '../db/database.ts';
import { addEffect } from '../effects/record-effects.ts';
import type { AlertPreferences } from './alert-preferences.ts';
import { morningHour, nextSendTime } from './next-send-time.ts';

/**
 * Has a tradie mailed the jobs that no phone tells them of: next morning, or at once for as long as they had less than
 * enough today. Mail makes no sound, so quiet hours are no matter. A morning has one mail, however many jobs ask for
 * it.
 */
export async function enqueueJobsMail(
  sql: Sql,
  userId: string,
  { mailJobs, alertsPerDay }: AlertPreferences,
  { now, sentToday }: { now: Date; sentToday: number },
): Promise<void> {
  if (mailJobs === 'off') return;
  const atAnyHour = { quietFrom: 0, quietTo: 0, alertsPerDay };
  const due = mailJobs === 'daily' ? nextNzHour(now, morningHour) : nextSendTime(atAnyHour, { now, sentToday });
  const at = due.toISOString();
  await addEffect(sql, due, { name: 'alerts.mail', key: `alerts.mail:${userId}:${at}`, payload: { userId, at } });
}
