import { sql as rawSql } from 'kysely';
import type { StoredFile } from '../../../shared/mutations/own-file.ts';
import type { FindFiles } from '../../ports/known-files.ts';

/** Of the embedded storage: it knows every file, also by the name an earlier version gave it. */
export const findEmbeddedFiles: FindFiles = async (sql, refs) => {
  const key = rawSql<string>`substr(ref, strpos(ref, '/') + 1)`;
  const rows = await sql
    .selectFrom(rawSql<{ ref: string }>`unnest(${refs}::text[])`.as<'wanted'>(rawSql`wanted (ref)`))
    .leftJoin('embedded.objects as o', (join) =>
      join
        .on('o.bucket_id', '=', rawSql<string>`split_part(ref, '/', 1)`)
        .on((eb) => eb.or([eb('o.name', '=', key), eb('o.former_name', '=', key)])),
    )
    .select(['wanted.ref', 'o.bucket_id', 'o.name', 'o.owner_id'])
    .execute();
  return new Map(
    rows.map(({ ref, bucket_id: bucket, name, owner_id: ownerId }): [string, StoredFile | null] => [
      ref,
      name === null ? null : { ref: `${bucket}/${name}`, ownerId },
    ]),
  );
};
