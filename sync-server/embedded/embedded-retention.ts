import { sql as rawSql } from 'kysely';
import { daysBefore, mostAtOnce, type RetentionJob } from '../retention/retention-job.ts';
import type { FileStore } from './storage/file-store.ts';

const kept = { mails: 30, orphans: 180 } as const;

const isOldMail = (before: Date) => rawSql`at < ${before}`;
/** In use: a photo by a job of its owner's, whose addresses end in the key; a logo by a profile, likewise. */
const isOrphan = (before: Date) => rawSql`updated_at < ${before}
  and not exists (select 1 from jobs j, unnest(j.images) image where o.bucket_id = 'job-photos' and (o.owner_id is null or j.user_id = o.owner_id)
    and right(image, length(o.name) + 12) = '/job-photos/' || o.name)
  and not exists (select 1 from tradies t where o.bucket_id = 'tradie-logos' and right(t.logo, length(o.name) + 14) = '/tradie-logos/' || o.name)`;

/** What the embedded services do not keep for ever. */
export function embeddedRetention(files: FileStore): RetentionJob[] {
  return [
    {
      name: 'mails',
      says: 'mails in the mailbox, after 30 days',
      count: async (sql, now) => {
        const { rows } = await rawSql<{ old: number }>`select count(*)::int as old from embedded.mails where ${isOldMail(daysBefore(now, kept.mails))}`.execute(sql);
        return rows[0]?.old ?? 0;
      },
      forget: async (sql, now) => {
        const { rows } = await rawSql`delete from embedded.mails where id in (
          select id from embedded.mails where ${isOldMail(daysBefore(now, kept.mails))} limit ${mostAtOnce}) returning id`.execute(sql);
        return { count: rows.length };
      },
    },
    {
      name: 'photos',
      // A phone may have uploaded it and lost its signal before it could say what for; it says so for 180 days at most (S6).
      says: 'photos and logos that nothing shows, 180 days after they were uploaded',
      count: async (sql, now) => {
        const { rows } = await rawSql<{ old: number }>`select count(*)::int as old from embedded.objects o where ${isOrphan(daysBefore(now, kept.orphans))}`.execute(sql);
        return rows[0]?.old ?? 0;
      },
      forget: async (sql, now) => {
        const { rows } = await rawSql<{ version: string }>`delete from embedded.objects where id in (
          select id from embedded.objects o where ${isOrphan(daysBefore(now, kept.orphans))} limit ${mostAtOnce} for update) returning version`.execute(sql);
        return { count: rows.length, after: async () => {
          for (const { version } of rows) await files.remove(version);
        } };
      },
    },
  ];
}
