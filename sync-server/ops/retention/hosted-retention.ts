import { sql as rawSql } from 'kysely';
import * as z from 'zod';
import type { Sql } from '../../db/database.ts';
import {
  hostedBuckets,
  type HostedBucket,
  type HostedFile,
  type HostedFiles,
  type HostedPage,
} from './hosted-files.ts';
import { daysBefore, type Portion, type RetentionJob } from '../../ports/retention-job.ts';
import { canReadObjects } from './hosted-owners.ts';
import { isShownByNothing, orphanDays, orphansSay } from './shown-by-nothing.ts';

interface Place {
  bucket: HostedBucket;
  cursor: string | undefined;
}

const start: Place = { bucket: hostedBuckets[0], cursor: undefined };

const uuid = z.uuid();

/**
 * Photos and logos of a hosted project. `endOfRun` is called at the beginning of each run for a signal that ends it early; the next run
 * of this process continues there.
 *
 * Only folders of people whom this database knows are checked: a database that is not the project's has nothing to compare with, and
 * removes nothing.
 */
export function hostedRetention(files: HostedFiles, endOfRun: () => AbortSignal): RetentionJob {
  let begin = start;
  return {
    name: 'photos',
    says: orphansSay,
    async *portions(now) {
      const stop = endOfRun();
      let place: Place | undefined = begin;
      // Where a run fails, the next one begins anew: a cursor may have become invalid.
      begin = start;
      while (place !== undefined) {
        const listed = await listUnlessStopped(files, place, stop);
        if (listed === undefined) {
          begin = place;
          return;
        }
        yield portionOf(
          files,
          place.bucket,
          listed.files.filter((file) => isOld(file, daysBefore(now, orphanDays))),
        );
        place = after(place, listed.next);
      }
    },
  };
}

async function listUnlessStopped(
  files: HostedFiles,
  { bucket, cursor }: Place,
  stop: AbortSignal,
): Promise<HostedPage | undefined> {
  try {
    return await files.list(bucket, cursor, stop);
  } catch (error) {
    if (stop.aborted) return undefined;
    throw error;
  }
}

function after({ bucket }: Place, cursor: string | undefined): Place | undefined {
  if (cursor !== undefined) return { bucket, cursor };
  const next = hostedBuckets[hostedBuckets.indexOf(bucket) + 1];
  return next && { bucket: next, cursor: undefined };
}

/** A file whose age is not said is never old. */
function isOld({ created_at, updated_at }: HostedFile, before: Date): boolean {
  return Math.max(Date.parse(created_at ?? ''), Date.parse(updated_at ?? '')) < before.getTime();
}

function portionOf(files: HostedFiles, bucket: HostedBucket, old: readonly HostedFile[]): Portion {
  let waiting = old;
  return {
    count: async (sql) => (await orphansAmong(sql, bucket, waiting)).length,
    async forget(sql) {
      const orphans = await orphansAmong(sql, bucket, waiting);
      waiting = [];
      return { count: orphans.length, after: () => files.remove(bucket, orphans) };
    },
  };
}

/**
 * Keys of those that may go. A file's owner comes from storage where its list can be read; else from its first folder, which is the job's
 * id, or the person's for a file of an earlier version. A logo, whose folder says nothing, stays then.
 */
async function orphansAmong(sql: Sql, bucket: HostedBucket, files: readonly HostedFile[]): Promise<string[]> {
  if (files.length === 0) return [];
  const names = files.map(({ name }) => name);
  const folders = files.map(({ name }) => uuid.safeParse(name.split('/')[0]).data ?? null);
  const owned = (await canReadObjects(sql))
    ? rawSql`select file.name, users.id as owner_id from unnest(${names}::text[]) as file (name)
        join storage.objects s on s.bucket_id = ${bucket} and s.name = file.name join users on users.id::text = s.owner_id::text`
    : rawSql`select file.name, coalesce(users.id, jobs.user_id) as owner_id from unnest(${names}::text[], ${folders}::uuid[]) as file (name, folder)
        left join users on users.id = file.folder left join jobs on jobs.id = file.folder and ${bucket} = 'job-photos'
        where coalesce(users.id, jobs.user_id) is not null`;
  const { rows } = await rawSql<{ name: string }>`select o.name from (
      select ${bucket}::text as bucket_id, owned.name, owned.owner_id from (${owned}) owned
    ) o where ${isShownByNothing}`.execute(sql);
  return rows.map(({ name }) => name);
}
