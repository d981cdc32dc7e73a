import { sql as rawSql } from 'kysely';
import { daysBefore, mostAtOnce, type RetentionJob } from '../retention/retention-job.ts';
import { isShownByNothing, orphanDays, orphansSay } from '../retention/shown-by-nothing.ts';
import type { FileStore } from './storage/file-store.ts';

const mailDays = 30;

const isOldMail = (before: Date) => rawSql`at < ${before}`;
const isOrphan = (before: Date) => rawSql`updated_at < ${before} and ${isShownByNothing}`;

/** What the embedded services do not keep for ever. */
export function embeddedRetention(files: FileStore): RetentionJob[] {
  return [
    {
      name: 'mails',
      says: 'mails in the mailbox, after 30 days',
      count: async (sql, now) => {
        const { rows } = await rawSql<{ old: number }>`select count(*)::int as old from embedded.mails where ${isOldMail(daysBefore(now, mailDays))}`.execute(sql);
        return rows[0]?.old ?? 0;
      },
      forget: async (sql, now) => {
        const { rows } = await rawSql`delete from embedded.mails where id in (
          select id from embedded.mails where ${isOldMail(daysBefore(now, mailDays))} limit ${mostAtOnce}) returning id`.execute(sql);
        return { count: rows.length };
      },
    },
    {
      name: 'photos',
      says: orphansSay,
      count: async (sql, now) => {
        const { rows } = await rawSql<{ old: number }>`select count(*)::int as old from embedded.objects o where ${isOrphan(daysBefore(now, orphanDays))}`.execute(sql);
        return rows[0]?.old ?? 0;
      },
      forget: async (sql, now) => {
        const { rows } = await rawSql<{ version: string }>`delete from embedded.objects where id in (
          select id from embedded.objects o where ${isOrphan(daysBefore(now, orphanDays))} limit ${mostAtOnce} for update) returning version`.execute(sql);
        return { count: rows.length, after: async () => {
          for (const { version } of rows) await files.remove(version);
        } };
      },
    },
  ];
}
