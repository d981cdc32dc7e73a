import { nzDayStart } from '../../shared/lib/nz-time.ts';
import { day, hour } from '../../shared/lib/durations.ts';
import type { Database, Sql } from '../db/database.ts';
import { addEffect } from '../effects/record-effects.ts';
import type { Doers } from '../effects/run-effects.ts';
import { listSubscriptions } from '../push/subscriptions.ts';
import { readAlertedInterests, readAlertedJobs, readFeedPosition } from './alerted-rows.ts';
import { readPreferences } from './alert-preferences.ts';
import { nextMoment } from './next-moment.ts';
import { interestMessage, jobMessage } from './push-message.ts';
import { tellLater } from './record-alerts.ts';

interface TellParts {
  database: Database;
  clock: () => Date;
  publicUrl: () => string;
}

/** Seconds for which a phone that is off still gets it. */
const ttl = { job: day / 1_000, interest: (3 * day) / 1_000 } as const;

/** What nobody could be told for so long is no news any more. */
const stale = 36 * hour;

/**
 * Tells a person of everything that waits, as one message of a kind to each of their phones; later, where it is quiet hours or they had
 * enough today. The alerts are settled and the messages recorded in one transaction, so that a kill repeats none.
 */
export function createTellPerson({ database, clock, publicUrl }: TellParts): Doers['alerts.tell'] {
  return ({ userId }) =>
    database.transaction(async (sql) => {
      const now = clock();
      const waiting = await holdWaiting(sql, userId);
      const subscriptions = await listSubscriptions(sql, userId);
      // Without a phone they are for the mail, and for a phone that subscribes before it is sent.
      if (waiting.length === 0 || subscriptions.length === 0) return;
      const preferences = await readPreferences(sql, userId);
      const due = nextMoment(preferences, { now, sentToday: await countToday(sql, userId, now) });
      if (due > now) return tellLater(sql, { userId, key: due.toISOString(), due });

      // Before the jobs: they may be newer than it says, never older.
      const feed = await readFeedPosition(sql);
      const reader = { userId, origin: publicUrl(), feed };
      const wanted = waiting.filter(({ at }) => now.getTime() - at.getTime() < stale);
      const of = (kind: 'interest' | 'job', isWanted: boolean) =>
        isWanted ? wanted.filter((alert) => alert.kind === kind) : [];
      const interests = await readAlertedInterests(sql, userId, of('interest', preferences.pushInterests));
      const jobs = await readAlertedJobs(sql, userId, of('job', preferences.pushJobs), now);
      const messages = [
        { kind: 'interest' as const, first: interests[0], text: () => interestMessage(reader, interests) },
        { kind: 'job' as const, first: jobs[0], text: () => jobMessage(reader, jobs) },
      ];
      for (const { kind, first, text } of messages) {
        if (first === undefined) continue;
        for (const { id } of subscriptions)
          await addEffect(sql, now, {
            name: 'push.send',
            // An alert is told once, so this names the message for ever.
            key: `push.send:${first.alertId}:${id}`,
            payload: { subscriptionId: id, userId, text: text(), ttl: ttl[kind] },
          });
      }
      const told = new Set([...interests, ...jobs].map(({ alertId }) => alertId));
      await settle(
        sql,
        'pushed_at',
        waiting.filter(({ id }) => told.has(id)),
        now,
      );
      // A job that nobody wants pushed is still for the morning's mail.
      const gone = waiting.filter(({ id, kind }) => !told.has(id) && !(kind === 'job' && !preferences.pushJobs));
      await settle(sql, 'dropped_at', gone, now);
    });
}

interface Waiting {
  id: string;
  kind: 'interest' | 'job';
  subject_id: string;
  job_id: string;
  at: Date;
}

/** Held, so that two instances tell nobody twice. */
function holdWaiting(sql: Sql, userId: string): Promise<Waiting[]> {
  return sql
    .selectFrom('alert')
    .select(['id', 'kind', 'subject_id', 'job_id', 'at'])
    .where('user_id', '=', userId)
    .where('pushed_at', 'is', null)
    .where('mailed_at', 'is', null)
    .where('dropped_at', 'is', null)
    .orderBy('at')
    .orderBy('id')
    .forUpdate()
    .execute();
}

async function settle(sql: Sql, column: 'pushed_at' | 'dropped_at', alerts: readonly { id: string }[], now: Date) {
  if (alerts.length === 0) return;
  await sql
    .updateTable('alert')
    .set({ [column]: now })
    .where(
      'id',
      'in',
      alerts.map(({ id }) => id),
    )
    .execute();
}

/** Messages, not alerts: what was gathered counts once. */
async function countToday(sql: Sql, userId: string, now: Date): Promise<number> {
  const { sent } = await sql
    .selectFrom('alert')
    .select((eb) => eb.cast<number>(eb.fn.count('pushed_at').distinct(), 'integer').as('sent'))
    .where('user_id', '=', userId)
    .where('pushed_at', '>=', nzDayStart(now))
    .executeTakeFirstOrThrow();
  return sent;
}
