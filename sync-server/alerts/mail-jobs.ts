import type { Database, Sql } from '../db/database.ts';
import { preferenceOf } from '../effects/mail-preferences.ts';
import { effectNotes, type EffectHandlers } from '../effects/run-effects.ts';
import { jobMailsPath } from '../effects/unsubscribe-routes.ts';
import type { Mailer } from '../mail/mailer.ts';
import { listSubscriptions } from '../push/subscriptions.ts';
import { readPreferences } from './alert-preferences.ts';
import { readAlertedJobs } from './alerted-rows.ts';
import { jobMail } from './job-mail.ts';
import { enqueueNotification } from './record-alerts.ts';
import { lockPendingAlerts, isRecent, markAlerts } from './pending-alerts.ts';

interface MailParts {
  database: Database;
  clock: () => Date;
  /** Whether this server tells any phones. */
  hasPush: boolean;
  mailer: Mailer;
  /** Origin people reach the product at. */
  publicUrl: () => string;
}

/**
 * Mails a tradie the jobs that no phone told them of. Which ones is settled at the first attempt, under `at`; each
 * attempt leaves out what was closed since, and all of it where the subscription is over, so that a mail says what is
 * true as it is sent. Repeated under one id.
 */
export function createMailJobs({
  database,
  clock,
  hasPush,
  mailer,
  publicUrl,
}: MailParts): EffectHandlers['alerts.mail'] {
  return async ({ userId, at }, key) => {
    const mail = await database.transaction(async (sql) => {
      const now = clock();
      const { mailJobs, pushJobs } = await readPreferences(sql, userId);
      if (mailJobs === 'off') return undefined;
      const mailedAt = new Date(at);
      const waiting = (await lockPendingAlerts(sql, userId)).filter(({ kind }) => kind === 'job');
      const claimed = await readMailed(sql, userId, mailedAt);
      const hasPhone = hasPush && (await listSubscriptions(sql, userId)).length > 0;
      // A phone that came meanwhile is quicker.
      if (hasPhone && pushJobs && waiting.length > 0)
        await enqueueNotification(sql, { userId, key: `mail ${at}`, due: now });
      const mayClaim = claimed.length === 0 && !(hasPhone && pushJobs);
      const alerts = mayClaim ? waiting.filter((alert) => isRecent(alert, now)) : claimed;
      const jobs = await readAlertedJobs(sql, userId, alerts, now);
      if (mayClaim) {
        const told = new Set(jobs.map(({ alertId }) => alertId));
        const gone = waiting.filter(({ id }) => !told.has(id));
        await markAlerts(sql, 'mailed_at', [...told], mailedAt);
        await markAlerts(
          sql,
          'dropped_at',
          gone.map(({ id }) => id),
          now,
        );
      }
      if (jobs.length === 0) return undefined;
      const { email } = await sql
        .selectFrom('users')
        .select('email')
        .where('id', '=', userId)
        .executeTakeFirstOrThrow();
      const { token } = await preferenceOf(sql, userId, now);
      const origin = publicUrl();
      return { to: email, ...jobMail({ jobs, origin, unsubscribeUrl: `${origin}${jobMailsPath(token)}` }) };
    });
    if (mail === undefined) return effectNotes.unneeded;
    await mailer.send({ ...mail, id: key });
    return undefined;
  };
}

/** What an earlier attempt has settled. */
function readMailed(sql: Sql, userId: string, mailedAt: Date): Promise<{ id: string; subject_id: string }[]> {
  return sql
    .selectFrom('alert')
    .select(['id', 'subject_id'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'job')
    .where('mailed_at', '=', mailedAt)
    .orderBy('at')
    .orderBy('id')
    .execute();
}
