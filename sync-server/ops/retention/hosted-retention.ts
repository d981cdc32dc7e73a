import { type AliasedExpression, sql as rawSql } from 'kysely';
import * as z from 'zod';
import type { Sql } from '../../db/database.ts';
import {
  hostedBuckets,
  type HostedBucket,
  type HostedFile,
  type HostedFiles,
  type HostedPage,
} from './hosted-files.ts';
import { daysBefore, type RetentionBatch, type RetentionJob } from '../../ports/retention-job.ts';
import { canReadObjects, storageObjects } from './hosted-owners.ts';
import { isOrphaned, orphanDays, orphansDescription } from './orphaned-files.ts';

interface Place {
  bucket: HostedBucket;
  cursor: string | undefined;
}

const start: Place = { bucket: hostedBuckets[0], cursor: undefined };

const uuid = z.uuid();

/**
 * Photos and logos of a hosted project. `endOfRun` is called at the beginning of each run for a signal that ends it
 * early; the next run of this process continues there.
 *
 * Only folders of people whom this database knows are checked: a database that is not the project's has nothing to
 * compare with, and removes nothing.
 */
export function hostedRetention(files: HostedFiles, endOfRun: () => AbortSignal): RetentionJob {
  let begin = start;
  return {
    name: 'photos',
    says: orphansDescription,
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

function portionOf(files: HostedFiles, bucket: HostedBucket, old: readonly HostedFile[]): RetentionBatch {
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
 * Keys of those that may go. A file's owner comes from storage where its list can be read; else from its first folder,
 * which is the job's id, or the person's for a file of an earlier version. A logo, whose folder says nothing, stays
 * then.
 */
async function orphansAmong(sql: Sql, bucket: HostedBucket, files: readonly HostedFile[]): Promise<string[]> {
  if (files.length === 0) return [];
  const names = files.map(({ name }) => name);
  const owned = (await canReadObjects(sql)) ? ownedInStorage(sql, bucket, names) : ownedByFolder(sql, bucket, files);
  const rows = await sql.selectFrom(owned).select('o.name').where(isOrphaned).execute();
  return rows.map(({ name }) => name);
}

const idOf = (bucket: HostedBucket) => rawSql<string>`${bucket}::text`.as('bucket_id');

/** Files of people whom this database knows. */
type Owned = AliasedExpression<{ bucket_id: string; name: string; owner_id: string | null }, 'o'>;

function ownedInStorage(sql: Sql, bucket: HostedBucket, names: readonly string[]): Owned {
  return sql
    .selectFrom(rawSql<{ name: string }>`unnest(${names}::text[])`.as<'file'>(rawSql`file (name)`))
    .innerJoin(storageObjects.as('s'), (join) => join.on('s.bucket_id', '=', bucket).onRef('s.name', '=', 'file.name'))
    .innerJoin('users', (join) =>
      join.on((eb) => eb(eb.cast<string>('users.id', 'text'), '=', eb.cast<string>('s.owner_id', 'text'))),
    )
    .select([idOf(bucket), 'file.name', 'users.id as owner_id'])
    .as('o');
}

function ownedByFolder(sql: Sql, bucket: HostedBucket, files: readonly HostedFile[]): Owned {
  const names = files.map(({ name }) => name);
  const folders = files.map(({ name }) => uuid.safeParse(name.split('/')[0]).data ?? null);
  return sql
    .selectFrom(
      rawSql<{ name: string; folder: string | null }>`unnest(${names}::text[], ${folders}::uuid[])`.as<'file'>(
        rawSql`file (name, folder)`,
      ),
    )
    .leftJoin('users', 'users.id', 'file.folder')
    .leftJoin('jobs', (join) => join.onRef('jobs.id', '=', 'file.folder').on((eb) => eb.lit(bucket === 'job-photos')))
    .select((eb) => [idOf(bucket), 'file.name', eb.fn.coalesce('users.id', 'jobs.user_id').as('owner_id')])
    .where((eb) => eb(eb.fn.coalesce('users.id', 'jobs.user_id'), 'is not', null))
    .as('o');
}
