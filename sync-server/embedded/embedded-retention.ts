import { daysBefore, maxAtOnce, type RetentionJob } from '../ports/retention-job.ts';
import type { Sql } from '../db/database.ts';
import { expiredRows } from '../ops/retention/expired-rows.ts';
import { isOrphaned, orphanDays, orphansDescription } from '../ops/retention/orphaned-files.ts';
import { absoluteMs, idleMs } from './auth/sessions.ts';
import type { FileStore } from './storage/file-store.ts';

const mailDays = 30;

const oldMails = expiredRows('embedded.mails', (mail, now) => mail('at', '<', daysBefore(now, mailDays)));

const past = [
  expiredRows('embedded.sign_ups', (row, now) => row('expires_at', '<', now)),
  expiredRows('embedded.one_time_tokens', (row, now) => row('expires_at', '<', now)),
  expiredRows('embedded.sessions', (row, now) =>
    row.or([
      row('last_used_at', '<', new Date(now.getTime() - idleMs)),
      row('created_at', '<', new Date(now.getTime() - absoluteMs)),
    ]),
  ),
];

const orphans = (sql: Sql, now: Date) =>
  sql.selectFrom('embedded.objects as o').where('o.updated_at', '<', daysBefore(now, orphanDays)).where(isOrphaned);

/** The retention of the embedded services. */
export function embeddedRetention(files: FileStore): RetentionJob[] {
  return [
    {
      name: 'mails',
      says: 'mails in the mailbox, after 30 days',
      count: oldMails.count,
      forget: async (sql, now) => ({ count: await oldMails.forget(sql, now) }),
    },
    {
      name: 'sign-ups',
      says: 'sign-ups that were not confirmed, after 24 hours; mailed links and sessions past their time',
      count: async (sql, now) => {
        let count = 0;
        for (const rows of past) count += await rows.count(sql, now);
        return count;
      },
      forget: async (sql, now) => {
        let count = 0;
        for (const rows of past) count += await rows.forget(sql, now);
        return { count };
      },
    },
    {
      name: 'photos',
      says: orphansDescription,
      count: async (sql, now) => {
        const { old } = await orphans(sql, now)
          .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('old'))
          .executeTakeFirstOrThrow();
        return old;
      },
      forget: async (sql, now) => {
        const rows = await sql
          .deleteFrom('embedded.objects')
          .where('id', 'in', orphans(sql, now).select('o.id').limit(maxAtOnce).forUpdate())
          .returning('version')
          .execute();
        return {
          count: rows.length,
          after: async () => {
            for (const { version } of rows) await files.remove(version);
          },
        };
      },
    },
  ];
}
