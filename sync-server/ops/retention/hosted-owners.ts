import { sql as rawSql } from 'kysely';
import type { StoredFile } from '../../../shared/mutations/own-file.ts';
import type { Sql } from '../../db/database.ts';
import type { FindFiles } from '../../ports/known-files.ts';

/**
 * Can the hosted storage's own list of files be read here, all of it? Only where the product's tables are in the
 * project's own database, for a role that row security does not hold back. Asked first: a query that is turned down
 * would end the transaction.
 */
export async function canReadObjects(sql: Sql): Promise<boolean> {
  const { rows } = await rawSql<{ can: boolean }>`select coalesce((
      select has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select') and not row_security_active(c.oid)
      from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'storage' and c.relname = 'objects'), false) as can`.execute(
    sql,
  );
  return rows[0]?.can === true;
}

/** The hosted storage's own table: it is not among ours. */
export const storageObjects = rawSql<{ bucket_id: string; name: string; owner_id: string | null }>`storage.objects`;

/** Finds the files of a hosted project. Where its list of files cannot be read, nothing is said of any. */
export const findHostedFiles: FindFiles = async (sql, refs) => {
  if (!(await canReadObjects(sql))) return new Map();
  const rows = await sql
    .selectFrom(rawSql<{ ref: string }>`unnest(${refs}::text[])`.as<'wanted'>(rawSql`wanted (ref)`))
    .leftJoin(storageObjects.as('o'), (join) =>
      join
        .on('o.bucket_id', '=', rawSql<string>`split_part(ref, '/', 1)`)
        .on('o.name', '=', rawSql<string>`substr(ref, strpos(ref, '/') + 1)`),
    )
    .select((eb) => [
      'wanted.ref',
      eb('o.name', 'is not', null).as('is_there'),
      eb.cast<string | null>('o.owner_id', 'text').as('owner_id'),
    ])
    .execute();
  return new Map(
    rows.map(({ ref, is_there: isThere, owner_id: ownerId }): [string, StoredFile | null] => [
      ref,
      isThere ? { ref, ownerId } : null,
    ]),
  );
};
