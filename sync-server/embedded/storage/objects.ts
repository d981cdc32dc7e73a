import { randomUUID } from 'node:crypto';
import { sql as raw } from 'kysely';
import type { EmbeddedSql, ObjectRow } from '../embedded-tables.ts';

export function findObject(tables: EmbeddedSql, bucket: string, key: string): Promise<ObjectRow | undefined> {
  return tables.selectFrom('objects').selectAll().where('bucket_id', '=', bucket).where('name', '=', key).executeTakeFirst();
}

export interface NewObject {
  bucket: string;
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

/** Undefined where the key is taken and `upsert` was not asked for. Run it in a transaction: the replaced version is locked first. */
export async function putObject(tables: EmbeddedSql, object: NewObject, upsert: boolean): Promise<Put | undefined> {
  const { bucket, key, ownerId, version, size, type, cacheControl, md5, now } = object;
  const bytes = { owner_id: ownerId, version, size, mime_type: type, cache_control: cacheControl, md5, updated_at: now };
  const added = await tables
    .insertInto('objects')
    .values({ id: randomUUID(), bucket_id: bucket, name: key, created_at: now, ...bytes })
    .onConflict((conflict) => conflict.columns(['bucket_id', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (added) return { id: added.id, replaced: undefined };
  if (!upsert) return undefined;
  const taken = tables.selectFrom('objects').select(['id', 'version']).where('bucket_id', '=', bucket).where('name', '=', key);
  const old = await taken.forUpdate().executeTakeFirst();
  // Removed between the two statements: as good as new.
  if (!old) return putObject(tables, object, upsert);
  await tables.updateTable('objects').set(bytes).where('id', '=', old.id).execute();
  return { id: old.id, replaced: old.version };
}

export async function removeObjects(tables: EmbeddedSql, bucket: string, keys: readonly string[]): Promise<ObjectRow[]> {
  if (keys.length === 0) return [];
  return tables.deleteFrom('objects').where('bucket_id', '=', bucket).where('name', 'in', keys).returningAll().execute();
}

export function listObjects(tables: EmbeddedSql, bucket: string, prefix: string): Promise<ObjectRow[]> {
  const begins = raw<boolean>`starts_with(name, ${prefix})`;
  return tables.selectFrom('objects').selectAll().where('bucket_id', '=', bucket).where(begins).orderBy('name').execute();
}

/** Bytes a person keeps in all buckets together. */
export async function bytesOf(tables: EmbeddedSql, ownerId: string): Promise<number> {
  const total = raw<number>`coalesce(sum(size), 0)::float8`.as('total');
  return (await tables.selectFrom('objects').select(total).where('owner_id', '=', ownerId).executeTakeFirstOrThrow()).total;
}

/** What `list` tells of a file. */
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
