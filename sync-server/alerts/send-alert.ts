import { createHash } from 'node:crypto';
import type { Database, Sql } from '../db/database.ts';
import type { PayloadOf } from '../effects/effect.ts';
import { addEffect } from '../effects/record-effects.ts';
import { effectNotes, type EffectHandlers } from '../effects/run-effects.ts';
import type { SendPush } from '../push/send-push.ts';
import { findSubscription, deleteSubscription, listSubscriptions } from '../push/subscriptions.ts';
import { readPreferences, type AlertPreferences } from './alert-preferences.ts';
import { readAlertedInterests, readAlertedJobs, readFeedPosition } from './alerted-rows.ts';
import { nextSendTime } from './next-send-time.ts';
import { interestMessage, jobMessage } from './push-message.ts';
import { enqueueNotification } from './record-alerts.ts';
import { markAlerts } from './pending-alerts.ts';

interface SendAlertParts {
  database: Database;
  clock: () => Date;
  send: SendPush;
  /** Origin people reach the product at. */
  publicUrl: () => string;
}

/**
 * 32 characters of base64url at most (RFC 8030, section 5.4): a message sent again after a lost answer replaces itself,
 * and no other.
 */
const topicOf = (key: string) => createHash('sha256').update(key).digest('base64url').slice(0, 32);

/**
 * Sends one message to one phone. It is written as it is sent: what was closed since is not in it, and a person whose
 * subscription ended since gets none. Nor does a phone that no longer wants any, or that another person uses now; and
 * one that is tried again at night waits.
 */
export function createSendAlert({ database, clock, send, publicUrl }: SendAlertParts): EffectHandlers['push.send'] {
  return async (payload, key) => {
    const { subscriptionId, userId, ttl, alertIds = [] } = payload;
    const subscription = await findSubscription(database.sql, subscriptionId);
    if (subscription === undefined || subscription.user_id !== userId) return effectNotes.unneeded;
    const now = clock();
    const preferences = await readPreferences(database.sql, userId);
    const due = nextSendTime(preferences, { now, sentToday: 0 });
    if (due > now) {
      await addEffect(database.sql, due, { name: 'push.send', key: `${key} ${due.toISOString()}`, payload });
      return effectNotes.unneeded;
    }
    const text =
      payload.text ?? (await writeMessage(database.sql, payload, { ...preferences, now, origin: publicUrl() }));
    if (text === undefined) return effectNotes.unneeded;
    const outcome = await send(subscription, { text, ttl, topic: topicOf(key) });
    if (outcome !== 'gone') return undefined;
    await database.transaction(async (sql) => {
      await deleteSubscription(sql, subscriptionId);
      if ((await listSubscriptions(sql, userId)).length > 0) return;
      // No phone has taken the alert, so it is not told yet.
      await markAlerts(sql, 'pushed_at', alertIds, null);
      await enqueueNotification(sql, { userId, key: `gone ${subscriptionId}`, due: now });
    });
    return effectNotes.gone;
  };
}

/** What these alerts say now; undefined where nothing is left to say. */
async function writeMessage(
  sql: Sql,
  { userId, alertIds = [] }: PayloadOf<'push.send'>,
  { now, origin, pushInterests, pushJobs }: AlertPreferences & { now: Date; origin: string },
): Promise<string | undefined> {
  if (alertIds.length === 0) return undefined;
  const alerts = await sql
    .selectFrom('alert')
    .select(['id', 'kind', 'subject_id'])
    .where('user_id', '=', userId)
    .where('id', 'in', alertIds)
    .orderBy('at')
    .orderBy('id')
    .execute();
  const of = (wanted: 'interest' | 'job') => alerts.filter(({ kind }) => kind === wanted);
  // The feed’s position is read before the jobs: they may be newer than it says, never older.
  const reader = { userId, origin, feed: await readFeedPosition(sql) };
  const interests = pushInterests ? await readAlertedInterests(sql, userId, of('interest')) : [];
  if (interests.length > 0) return interestMessage(reader, interests);
  const jobs = pushJobs ? await readAlertedJobs(sql, userId, of('job'), now) : [];
  return jobs.length > 0 ? jobMessage(reader, jobs) : undefined;
}
