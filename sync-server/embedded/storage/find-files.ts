import { sql as rawSql } from 'kysely';
import type { StoredFile } from '../../../shared/mutations/own-file.ts';
import type { FindFiles } from '../../ports/known-files.ts';

interface Found {
  ref: string;
  name: string | null;
  owner_id: string | null;
}

/** Of the embedded storage: it knows every file, also by the name an earlier version gave it. */
export const findEmbeddedFiles: FindFiles = async (sql, refs) => {
  const { rows } = await rawSql<Found>`select ref, o.bucket_id || '/' || o.name as name, o.owner_id
    from unnest(${refs}::text[]) as wanted (ref)
    left join embedded.objects o on o.bucket_id = split_part(ref, '/', 1)
      and substr(ref, strpos(ref, '/') + 1) in (o.name, o.former_name)`.execute(sql);
  return new Map(
    rows.map(({ ref, name, owner_id: ownerId }): [string, StoredFile | null] => [
      ref,
      name === null ? null : { ref: name, ownerId },
    ]),
  );
};
