import { day } from '../../shared/lib/durations.ts';
import type { Database } from '../db/database.ts';
import { addEffect } from '../effects/record-effects.ts';
import type { EffectHandlers } from '../effects/run-effects.ts';
import { listSubscriptions } from '../push/subscriptions.ts';
import { readAlertedInterests, readAlertedJobs } from './alerted-rows.ts';
import { readPreferences } from './alert-preferences.ts';
import { enqueueJobsMail } from './enqueue-jobs-mail.ts';
import { nextSendTime } from './next-send-time.ts';
import { enqueueNotification } from './record-alerts.ts';
import { countToday, lockPendingAlerts, isRecent, markAlerts } from './pending-alerts.ts';

interface NotifyPersonParts {
  database: Database;
  clock: () => Date;
  /** Whether this server tells any phones. */
  hasPush: boolean;
}

/** Seconds for which a phone that is off still gets it. */
const ttl = { job: day / 1_000, interest: (3 * day) / 1_000 } as const;

/**
 * Tells a person of everything that waits, as one message of a kind to each of their phones; later, where it is quiet
 * hours or they had enough today. The alerts are settled and the messages recorded in one transaction, so that a kill
 * repeats none.
 */
export function createNotifyPerson({ database, clock, hasPush }: NotifyPersonParts): EffectHandlers['alerts.tell'] {
  return ({ userId }) =>
    database.transaction(async (sql) => {
      const now = clock();
      const waiting = await lockPendingAlerts(sql, userId);
      if (waiting.length === 0) return;
      const subscriptions = hasPush ? await listSubscriptions(sql, userId) : [];
      const preferences = await readPreferences(sql, userId);
      const sentToday = await countToday(sql, userId, now);
      const isForMail = subscriptions.length === 0 || !preferences.pushJobs;
      if (isForMail && waiting.some(({ kind }) => kind === 'job'))
        await enqueueJobsMail(sql, userId, preferences, { now, sentToday });
      // Alerts of a person without a phone are for the mail, and for a phone that subscribes before it is sent.
      if (subscriptions.length === 0) return;
      const due = nextSendTime(preferences, { now, sentToday });
      if (due > now) return enqueueNotification(sql, { userId, key: due.toISOString(), due });

      const wanted = waiting.filter((alert) => isRecent(alert, now));
      const of = (kind: 'interest' | 'job', isWanted: boolean) =>
        isWanted ? wanted.filter((alert) => alert.kind === kind) : [];
      const interests = await readAlertedInterests(sql, userId, of('interest', preferences.pushInterests));
      const jobs = await readAlertedJobs(sql, userId, of('job', preferences.pushJobs), now);
      const messages = [
        { kind: 'interest' as const, told: interests },
        { kind: 'job' as const, told: jobs },
      ];
      for (const { kind, told } of messages) {
        const [first] = told;
        if (first === undefined) continue;
        const alertIds = told.map(({ alertId }) => alertId);
        for (const { id } of subscriptions)
          await addEffect(sql, now, {
            name: 'push.send',
            // An alert is told once, so this names the message for ever.
            key: `push.send:${first.alertId}:${id}`,
            payload: { subscriptionId: id, userId, ttl: ttl[kind], alertIds },
          });
      }
      const told = new Set([...interests, ...jobs].map(({ alertId }) => alertId));
      await markAlerts(sql, 'pushed_at', [...told], now);
      // A job that is not to be pushed is still for the mail.
      const gone = waiting.filter(({ id, kind }) => !told.has(id) && !(kind === 'job' && !preferences.pushJobs));
      await markAlerts(
        sql,
        'dropped_at',
        gone.map(({ id }) => id),
        now,
      );
    });
}
