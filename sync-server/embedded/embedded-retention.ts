import { sql as rawSql } from 'kysely';
import { daysBefore, maxAtOnce, type RetentionJob } from '../ports/retention-job.ts';
import { isShownByNothing, orphanDays, orphansSay } from '../ops/retention/shown-by-nothing.ts';
import { absoluteMs, idleMs } from './auth/sessions.ts';
import type { FileStore } from './storage/file-store.ts';

const mailDays = 30;

const isPast = (now: Date) => rawSql`expires_at < ${now}`;
const hasEnded = (now: Date) =>
  rawSql`last_used_at < ${new Date(now.getTime() - idleMs)} or created_at < ${new Date(now.getTime() - absoluteMs)}`;
const isOldMail = (before: Date) => rawSql`at < ${before}`;
const isOrphan = (before: Date) => rawSql`updated_at < ${before} and ${isShownByNothing}`;

/** The retention of the embedded services. */
export function embeddedRetention(files: FileStore): RetentionJob[] {
  return [
    {
      name: 'mails',
      says: 'mails in the mailbox, after 30 days',
      count: async (sql, now) => {
        const { rows } = await rawSql<{
          old: number;
        }>`select count(*)::int as old from embedded.mails where ${isOldMail(daysBefore(now, mailDays))}`.execute(sql);
        return rows[0]?.old ?? 0;
      },
      forget: async (sql, now) => {
        const { rows } = await rawSql`delete from embedded.mails where id in (
          select id from embedded.mails where ${isOldMail(daysBefore(now, mailDays))} limit ${maxAtOnce}) returning id`.execute(
          sql,
        );
        return { count: rows.length };
      },
    },
    {
      name: 'sign-ups',
      says: 'sign-ups that nobody confirmed, after 24 hours; mailed links and sessions past their time',
      count: async (sql, now) => {
        const { rows } = await rawSql<{
          old: number;
        }>`select (select count(*) from embedded.sign_ups where ${isPast(now)})::int
          + (select count(*) from embedded.one_time_tokens where ${isPast(now)})::int
          + (select count(*) from embedded.sessions where ${hasEnded(now)})::int as old`.execute(sql);
        return rows[0]?.old ?? 0;
      },
      forget: async (sql, now) => {
        let count = 0;
        for (const [table, is] of [
          ['sign_ups', isPast(now)],
          ['one_time_tokens', isPast(now)],
          ['sessions', hasEnded(now)],
        ] as const) {
          const from = rawSql.table(`embedded.${table}`);
          const { rows } =
            await rawSql`delete from ${from} where ctid in (select ctid from ${from} where ${is} limit ${maxAtOnce}) returning 1`.execute(
              sql,
            );
          count += rows.length;
        }
        return { count };
      },
    },
    {
      name: 'photos',
      says: orphansSay,
      count: async (sql, now) => {
        const { rows } = await rawSql<{
          old: number;
        }>`select count(*)::int as old from embedded.objects o where ${isOrphan(daysBefore(now, orphanDays))}`.execute(
          sql,
        );
        return rows[0]?.old ?? 0;
      },
      forget: async (sql, now) => {
        const { rows } = await rawSql<{ version: string }>`delete from embedded.objects where id in (
          select id from embedded.objects o where ${isOrphan(daysBefore(now, orphanDays))} limit ${maxAtOnce} for update) returning version`.execute(
          sql,
        );
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
