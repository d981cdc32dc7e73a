import { randomUUID } from 'node:crypto';
import { sql as rawSql } from 'kysely';
import type { Bucket } from '../../../shared/lib/file-ref.ts';
import type { EmbeddedSql, ObjectRow } from '../embedded-tables.ts';
import type { ClaimedKey } from './claim-key.ts';

/** Finds an object by its name, or by the one an earlier version gave it. */
export function findObject(tables: EmbeddedSql, bucket: string, key: string): Promise<ObjectRow | undefined> {
  return tables
    .selectFrom('objects')
    .selectAll()
    .where('bucket_id', '=', bucket)
    .where((or) => or.or([or('name', '=', key), or('former_name', '=', key)]))
    .executeTakeFirst();
}

export interface NewObject {
  bucket: Bucket;
  key: string;
  ownerId: string | null;
  version: string;
  size: number;
  type: string;
  cacheControl: string;
  md5: string;
  now: Date;
}

/** What became of an object that was put: its id, and the version it took the place of. */
export interface Put {
  id: string;
  replaced: string | undefined;
}

/**
 * Undefined where the key is taken and `upsert` was not asked for. Run it in a transaction: the replaced version is
 * locked first.
 */
export async function putObject(
  tables: EmbeddedSql,
  object: NewObject & ClaimedKey,
  upsert: boolean,
): Promise<Put | undefined> {
  const { bucket, key, formerKey, ownerId, version, size, type, cacheControl, md5, now } = object;
  const bytes = {
    owner_id: ownerId,
    version,
    size,
    mime_type: type,
    cache_control: cacheControl,
    md5,
    updated_at: now,
  };
  const added = await tables
    .insertInto('objects')
    .values({ id: randomUUID(), bucket_id: bucket, name: key, former_name: formerKey, created_at: now, ...bytes })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (added) return { id: added.id, replaced: undefined };
  if (!upsert) return undefined;
  const taken = tables
    .selectFrom('objects')
    .select(['id', 'version'])
    .where('bucket_id', '=', bucket)
    .where((or) => or.or([or('name', '=', key), ...(formerKey === null ? [] : [or('former_name', '=', formerKey)])]));
  const old = await taken.forUpdate().executeTakeFirst();
  // The row was removed between the two statements, so this write counts as a new one.
  if (!old) return putObject(tables, object, upsert);
  await tables.updateTable('objects').set(bytes).where('id', '=', old.id).execute();
  return { id: old.id, replaced: old.version };
}

/** Removes the owner's own objects; those of others stay. */
export async function removeObjects(
  tables: EmbeddedSql,
  bucket: string,
  ownerId: string,
  keys: readonly string[],
): Promise<ObjectRow[]> {
  if (keys.length === 0) return [];
  return tables
    .deleteFrom('objects')
    .where('bucket_id', '=', bucket)
    .where('owner_id', '=', ownerId)
    .where((or) => or.or([or('name', 'in', keys), or('former_name', 'in', keys)]))
    .returningAll()
    .execute();
}

export function listObjects(
  tables: EmbeddedSql,
  bucket: string,
  ownerId: string,
  prefix: string,
): Promise<ObjectRow[]> {
  const begins = rawSql<boolean>`starts_with(name, ${prefix})`;
  return tables
    .selectFrom('objects')
    .selectAll()
    .where('bucket_id', '=', bucket)
    .where('owner_id', '=', ownerId)
    .where(begins)
    .orderBy('name')
    .execute();
}

/** Bytes a person keeps in all buckets together. */
export async function bytesOf(tables: EmbeddedSql, ownerId: string): Promise<number> {
  const total = rawSql<number>`coalesce(sum(size), 0)::float8`.as('total');
  return (await tables.selectFrom('objects').select(total).where('owner_id', '=', ownerId).executeTakeFirstOrThrow())
    .total;
}

/** A file in the answer of `list`. */
export function fileMetadata(row: ObjectRow): Record<string, unknown> {
  return {
    eTag: `"${row.md5}"`,
    size: row.size,
    mimetype: row.mime_type,
    cacheControl: row.cache_control,
    lastModified: row.updated_at.toISOString(),
    contentLength: row.size,
    httpStatusCode: 200,
  };
}
