import fresh from 'fresh';
import type { Context } from 'koa';
import { embedded } from '../embedded-tables.ts';
import type { ObjectRow } from '../embedded-tables.ts';
import { isGone } from './file-store.ts';
import { findObject } from './objects.ts';
import { rangeOf } from './range-of.ts';
import type { StorageParts } from './storage-parts.ts';
import { noSuchKey, StorageProblem } from './storage-problem.ts';

/**
 * Koa's own answer is no wherever the request says `no-cache`, which `fetch` adds to every request that brings an ETag.
 */
function hasIt({ req, res }: Context): boolean {
  const { 'if-none-match': known, 'if-modified-since': since } = req.headers;
  return fresh({ 'if-none-match': known, 'if-modified-since': since }, res.getHeaders());
}

function setHeaders(ctx: Context, row: ObjectRow): void {
  ctx.set({
    'Content-Type': row.mime_type,
    'Cache-Control': row.cache_control,
    'Accept-Ranges': 'bytes',
    // What people upload shares our origin here: it may be looked at, and nothing else.
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
  });
  ctx.etag = row.md5;
  ctx.lastModified = row.updated_at;
  const { download } = ctx.query;
  if (typeof download === 'string') ctx.attachment(download || row.name);
}

/**
 * `GET` and `HEAD /storage/v1/object/[public/|authenticated/]{bucket}/{key}[?download=name]` -> the bytes with a strong
 * ETag; 304 where the reader has them, 206 for one range.
 *
 * Errors (statusCode / code): 404 NoSuchKey, NoSuchBucket; 416 InvalidRange.
 */
export async function serveObject(parts: StorageParts, ctx: Context, bucket: string, key: string): Promise<void> {
  try {
    await serveOnce(parts, ctx, bucket, key);
  } catch (cause) {
    if (!isGone(cause)) throw cause;
    // It was replaced or removed between reading the row and opening the file; the row now says which.
    await serveOnce(parts, ctx, bucket, key);
  }
}

async function serveOnce({ database, files }: StorageParts, ctx: Context, bucket: string, key: string): Promise<void> {
  const row = await findObject(embedded(database.sql), bucket, key);
  if (!row) throw noSuchKey();
  const etag = `"${row.md5}"`;
  const isRangeCurrent = ['', etag].includes(ctx.get('If-Range'));
  const range = isRangeCurrent ? rangeOf(ctx.get('Range'), row.size) : undefined;
  if (range === 'unsatisfiable') {
    ctx.set('Content-Range', `bytes */${row.size}`);
    throw new StorageProblem(416, 'InvalidRange', 'The requested range is not satisfiable');
  }
  setHeaders(ctx, row);
  ctx.status = 200;
  if (hasIt(ctx)) {
    ctx.status = 304;
    return;
  }
  if (range) {
    ctx.status = 206;
    ctx.set('Content-Range', `bytes ${range.start}-${range.end}/${row.size}`);
  }
  const length = range ? range.end - range.start + 1 : row.size;
  if (ctx.method !== 'HEAD') ctx.body = await files.read(row.version, range);
  // Setting a body forgets both headers, so they are set after it.
  ctx.type = row.mime_type;
  ctx.length = length;
}
