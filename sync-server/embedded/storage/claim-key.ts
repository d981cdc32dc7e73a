import { randomUUID } from 'node:crypto';
import { sql as rawSql } from 'kysely';
import type { Bucket } from '../../../shared/lib/file-ref.ts';
import { isUuid } from '../../../shared/lib/uuid.ts';
import type { Sql } from '../../db/database.ts';
import { accessDenied } from './storage-problem.ts';

/** The name a file gets, and the requested one where that is another. */
export interface ClaimedKey {
  key: string;
  formerKey: string | null;
}

interface Wish {
  bucket: Bucket;
  key: string;
  ownerId: string;
}

/**
 * May this person put a file there? Into a job's folder only the person who posted the job; into any other folder only the person who has
 * put files there before, if any; over a file only the person who uploaded it; into a folder named by a user id no one. Apps of an
 * earlier version ask for one named by their own user id: the file gets a name without it, and is found under both.
 *
 * @throws StorageProblem `AccessDenied`
 */
export async function claimKey(sql: Sql, { bucket, key: asked, ownerId }: Wish): Promise<ClaimedKey> {
  const claimed = asked.startsWith(`${ownerId}/`)
    ? await withoutOwner(sql, { bucket, key: asked, ownerId })
    : { key: asked, formerKey: null };
  const { key } = claimed;
  const folder = key.includes('/') ? key.slice(0, key.indexOf('/')) : null;
  const folderId = folder !== null && isUuid(folder) ? folder : null;
  const foreign = (condition: ReturnType<typeof rawSql>) =>
    rawSql`exists (select 1 from embedded.objects where bucket_id = ${bucket} and owner_id is distinct from ${ownerId}::uuid and ${condition})`;
  // '0' is the character after '/'.
  const { rows } = await rawSql<{ is_taken: boolean }>`select
      ${foreign(rawSql`name = ${key}`)} or ${foreign(rawSql`former_name = ${key}`)}
      or ${foreign(rawSql`name >= ${folder}::text || '/' and name < ${folder}::text || '0'`)}
      or exists (select 1 from jobs where ${bucket}::text = 'job-photos' and id = ${folderId}::uuid and user_id <> ${ownerId}::uuid)
      or exists (select 1 from embedded.users where id = ${folderId}::uuid) as is_taken`.execute(sql);
  if (rows[0]?.is_taken === true) throw accessDenied();
  return claimed;
}

async function withoutOwner(sql: Sql, { bucket, key, ownerId }: Wish): Promise<ClaimedKey> {
  const { rows } = await rawSql<{ name: string }>`select name from embedded.objects
    where bucket_id = ${bucket} and former_name = ${key} and owner_id = ${ownerId}::uuid`.execute(sql);
  const rest = key.slice(ownerId.length + 1);
  return { key: rows[0]?.name ?? (rest.includes('/') ? rest : `${randomUUID()}/${rest}`), formerKey: key };
}
