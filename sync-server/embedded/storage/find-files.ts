import { sql as rawSql } from 'kysely';
import type { StoredFile } from '../../../shared/mutations/own-file.ts';
import type { FindFiles } from '../../ports/known-files.ts';
import type { FileStore } from './file-store.ts';

/**
 * Of the embedded storage: it knows every file, also by the name an earlier version gave it. One whose bytes are gone,
 * as after a restore of the database alone, is not there: who has them sends them again (S13).
 */
export const findEmbeddedFiles =
  (files: Pick<FileStore, 'has'>): FindFiles =>
  async (sql, refs) => {
    const key = rawSql<string>`substr(ref, strpos(ref, '/') + 1)`;
    const rows = await sql
      .selectFrom(rawSql<{ ref: string }>`unnest(${refs}::text[])`.as<'wanted'>(rawSql`wanted (ref)`))
      .leftJoin('embedded.objects as o', (join) =>
        join
          .on('o.bucket_id', '=', rawSql<string>`split_part(ref, '/', 1)`)
          .on((eb) => eb.or([eb('o.name', '=', key), eb('o.former_name', '=', key)])),
      )
      .select(['wanted.ref', 'o.bucket_id', 'o.name', 'o.owner_id', 'o.version'])
      .execute();
    return new Map(
      await Promise.all(
        rows.map(
          async ({
            ref,
            bucket_id: bucket,
            name,
            owner_id: ownerId,
            version,
          }): Promise<[string, StoredFile | null]> => [
            ref,
            version === null || !(await files.has(version)) ? null : { ref: `${bucket}/${name}`, ownerId },
          ],
        ),
      ),
    );
  };
