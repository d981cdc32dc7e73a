import { randomUUID } from 'node:crypto';
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
 * May this person put a file there? Into a job's folder only the person who posted the job; into any other folder only
 * the person who has put files there before, if any; over a file only the person who uploaded it; into a folder named
 * by a user id no one. Apps of an earlier version ask for one named by their own user id: the file gets a name without
 * it, and is found under both.
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
  const foreign = sql
    .selectFrom('embedded.objects')
    .select('id')
    .where('bucket_id', '=', bucket)
    .where('owner_id', 'is distinct from', ownerId);
  const { is_taken: isTaken } = await sql
    .selectNoFrom(({ or, exists, selectFrom }) =>
      or([
        exists(foreign.where('name', '=', key)),
        exists(foreign.where('former_name', '=', key)),
        // '0' is the character after '/'.
        ...(folder === null
          ? []
          : [exists(foreign.where('name', '>=', `${folder}/`).where('name', '<', `${folder}0`))]),
        ...(folderId === null
          ? []
          : [
              exists(selectFrom('embedded.users').select('id').where('id', '=', folderId)),
              ...(bucket === 'job-photos'
                ? [exists(selectFrom('jobs').select('id').where('id', '=', folderId).where('user_id', '<>', ownerId))]
                : []),
            ]),
      ]).as('is_taken'),
    )
    .executeTakeFirstOrThrow();
  if (isTaken) throw accessDenied();
  return claimed;
}

async function withoutOwner(sql: Sql, { bucket, key, ownerId }: Wish): Promise<ClaimedKey> {
  const found = await sql
    .selectFrom('embedded.objects')
    .select('name')
    .where('bucket_id', '=', bucket)
    .where('former_name', '=', key)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst();
  const rest = key.slice(ownerId.length + 1);
  return { key: found?.name ?? (rest.includes('/') ? rest : `${randomUUID()}/${rest}`), formerKey: key };
}
