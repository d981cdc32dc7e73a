import type { Context } from 'koa';
import { readAuthJson } from '../auth/read-json.ts';
import { embedded } from '../embedded-tables.ts';
import type { ObjectRow } from '../embedded-tables.ts';
import { checkKey } from './object-key.ts';
import { fileMetadata, findObject, listObjects, removeObjects } from './objects.ts';
import type { StorageParts } from './storage-parts.ts';
import { invalidRequest, noSuchKey } from './storage-problem.ts';
import { requesterOf } from './requester-of.ts';

const maxKeys = 1000;

async function readBody(ctx: Context): Promise<Record<string, unknown>> {
  return readAuthJson(ctx).catch(() => {
    throw invalidRequest('body must be a JSON object');
  });
}

/**
 * `DELETE /storage/v1/object/{bucket}` `{prefixes: [key]}` -> the rows that were there and were the asker's. Errors:
 * 400 InvalidRequest.
 */
export async function removeKeys(parts: StorageParts, ctx: Context, bucket: string): Promise<void> {
  const userId = await requesterOf(parts, ctx);
  const { prefixes } = await readBody(ctx);
  const keys = Array.isArray(prefixes) ? prefixes.filter((key) => typeof key === 'string') : [];
  if (keys.length === 0 || keys.length > maxKeys) throw invalidRequest(`body/prefixes must hold 1 to ${maxKeys} keys`);
  const removed =
    userId === undefined
      ? []
      : await parts.database.transaction((sql) => removeObjects(embedded(sql), bucket, userId, keys));
  for (const { version } of removed) await parts.files.remove(version);
  ctx.body = removed.map((row) => ({
    ...listed(row, row.name),
    bucket_id: row.bucket_id,
    owner: row.owner_id,
    owner_id: row.owner_id,
    version: row.version,
  }));
}

function listed(row: ObjectRow, name: string) {
  const updatedAt = row.updated_at.toISOString();
  return {
    name,
    id: row.id,
    updated_at: updatedAt,
    created_at: row.created_at.toISOString(),
    last_accessed_at: updatedAt,
    metadata: fileMetadata(row),
  };
}

const folder = (name: string) => ({
  name,
  id: null,
  updated_at: null,
  created_at: null,
  last_accessed_at: null,
  metadata: null,
});

type Listed = ReturnType<typeof listed> | ReturnType<typeof folder>;

/** Files and folders directly below the prefix, in the order asked for. */
function inFolder(rows: readonly ObjectRow[], prefix: string): Listed[] {
  const found = new Map<string, Listed>();
  for (const row of rows) {
    const [name = '', ...below] = row.name.slice(prefix.length).split('/');
    found.set(name, below.length > 0 ? folder(name) : listed(row, name));
  }
  return [...found.values()];
}

function inOrder(column: 'name' | 'updated_at' | 'created_at' | 'last_accessed_at', isDescending: boolean) {
  const sign = isDescending ? -1 : 1;
  return (one: Listed, other: Listed) => {
    const [left, right] = [one[column] ?? '', other[column] ?? ''];
    return left === right ? 0 : left < right ? -sign : sign;
  };
}

const wholeNumber = (value: unknown, fallback: number, max: number) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? Math.min(value, max) : fallback;
const sortable = ['name', 'updated_at', 'created_at', 'last_accessed_at'] as const;

/**
 * `POST /storage/v1/object/list/{bucket}` `{prefix, limit = 100, offset = 0, sortBy{column, order}, search}` -> files
 * and folders directly below the prefix, names relative to it. People see their own files only.
 */
export async function listFolder(parts: StorageParts, ctx: Context, bucket: string): Promise<void> {
  const userId = await requesterOf(parts, ctx);
  const body = await readBody(ctx);
  const wanted = typeof body['prefix'] === 'string' ? body['prefix'].replace(/^\/+|\/+$/g, '') : '';
  const prefix = wanted === '' ? '' : `${wanted}/`;
  const search = typeof body['search'] === 'string' ? body['search'].toLowerCase() : '';
  const sortBy = (body['sortBy'] ?? {}) as Record<string, unknown>;
  const column = sortable.find((name) => name === sortBy['column']) ?? 'name';

  const rows = userId === undefined ? [] : await listObjects(embedded(parts.database.sql), bucket, userId, prefix);
  const found = inFolder(rows, prefix).filter(({ name }) => name.toLowerCase().startsWith(search));
  const offset = wholeNumber(body['offset'], 0, Number.MAX_SAFE_INTEGER);
  ctx.body = found
    .sort(inOrder(column, sortBy['order'] === 'desc'))
    .slice(offset, offset + wholeNumber(body['limit'], 100, maxKeys));
}

/**
 * `GET /storage/v1/object/info/[public/]{bucket}/{key}` -> what there is to know of the object. Errors: 404 NoSuchKey.
 */
export async function describeObject(
  { database }: StorageParts,
  ctx: Context,
  bucket: string,
  key: string,
): Promise<void> {
  const row = await findObject(embedded(database.sql), bucket, checkKey(key));
  if (!row) throw noSuchKey();
  ctx.body = {
    id: row.id,
    name: row.name,
    version: row.version,
    bucket_id: row.bucket_id,
    size: row.size,
    content_type: row.mime_type,
    cache_control: row.cache_control,
    etag: `"${row.md5}"`,
    metadata: {},
    last_modified: row.updated_at.toISOString(),
    created_at: row.created_at.toISOString(),
  };
}
