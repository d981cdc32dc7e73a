import type { Context } from 'koa';
import type { Sql } from '../../db/database.ts';
import type { Bucket } from '../../../shared/lib/file-ref.ts';
import { maxPixels, readPicture } from '../../../shared/lib/picture.ts';
import { embedded } from '../embedded-tables.ts';
import { claimKey } from './claim-key.ts';
import type { Draft, FileStore } from './file-store.ts';
import { bytesOf, findObject, putObject } from './objects.ts';
import type { NewObject, Put } from './objects.ts';
import { readUpload } from './read-upload.ts';
import type { StorageParts } from './storage-parts.ts';
import { accessDenied, StorageProblem, tooLarge, tooManyPixels, wrongType } from './storage-problem.ts';
import { requesterOf } from './requester-of.ts';

const alreadyExists = () => new StorageProblem(409, 'KeyAlreadyExists', 'The resource already exists', 'Duplicate');
const tooManyUploads = () =>
  new StorageProblem(429, 'SlowDown', 'Too many uploads. Wait a moment and try again.', 'Too many requests');

/**
 * Bytes are an image of a type we serve, of the one they are said to be, and of a size that every viewer's device can
 * decode. What follows its end (a second picture, with the place it was taken at) is cut off.
 */
async function checkImage(draft: Draft, declared: string): Promise<{ type: string; whole: Draft }> {
  const picture = readPicture(await draft.bytes());
  if (picture === undefined || picture.type !== declared) throw wrongType(declared === '' ? 'unknown' : declared);
  if (picture.width * picture.height > maxPixels) throw tooManyPixels();
  return { type: picture.type, whole: picture.end < draft.size ? await draft.cut(picture.end) : draft };
}

/**
 * A restore may bring back the row of a file and not its bytes: who has them puts them there again. Undefined where
 * they are there.
 */
async function putAgain(
  files: Pick<FileStore, 'has'>,
  sql: Sql,
  object: Parameters<typeof putObject>[1],
): Promise<Put | undefined> {
  const standing = await findObject(embedded(sql), object.bucket, object.key);
  if (standing === undefined || (await files.has(standing.version))) return undefined;
  return putObject(embedded(sql), object, true);
}

/**
 * Bytes into their place, then the row, then the replaced bytes away: a crash between leaves a file too many, never a
 * row without one.
 */
export async function keepObject(
  { database, files }: StorageParts,
  draft: Draft,
  { ownerId, ...object }: NewObject,
  upsert: boolean,
): Promise<string> {
  await draft.keep();
  try {
    const put = await database.transaction(async (sql) => {
      const claimed =
        ownerId === null
          ? { key: object.key, formerKey: null }
          : await claimKey(sql, { bucket: object.bucket, key: object.key, ownerId });
      const kept = { ...object, ...claimed, ownerId };
      return (await putObject(embedded(sql), kept, upsert)) ?? putAgain(files, sql, kept);
    });
    if (!put) throw alreadyExists();
    if (put.replaced !== undefined) await files.remove(put.replaced);
    return put.id;
  } catch (cause) {
    // Where the row was not written nothing refers to these bytes. After a lost connection it may have been: they stay.
    if (cause instanceof StorageProblem) await files.remove(draft.version);
    throw cause;
  }
}

/**
 * `POST /storage/v1/object/{bucket}/{key}` (`x-upsert: true` to replace) and `PUT` (always replaces), with the bytes
 * raw or as a form -> 200 `{Key, Id}`. JPEG, PNG and WebP only, by their bytes and their declared type, where
 * `claimKey` lets them.
 *
 * Errors (statusCode / code): 409 KeyAlreadyExists, 404 NoSuchBucket, 413 EntityTooLarge, 415 InvalidMimeType, 403
 * AccessDenied, 400 InvalidKey or InvalidRequest, 429 SlowDown.
 */
export async function upload(parts: StorageParts, ctx: Context, bucket: Bucket, key: string): Promise<void> {
  const ownerId = await requesterOf(parts, ctx);
  if (ownerId === undefined) throw accessDenied();
  const person = [{ name: ownerId, share: 1 }];
  if (!parts.uploading.enter(person)) throw tooManyUploads();
  try {
    await uploadAs(ownerId, parts, ctx, bucket, key);
  } finally {
    parts.uploading.leave(person);
  }
}

async function uploadAs(
  ownerId: string,
  parts: StorageParts,
  ctx: Context,
  bucket: Bucket,
  key: string,
): Promise<void> {
  const { database, files, limits, clock, objectLimit, personLimit } = parts;
  // This check is early, before the bytes are read; the decisive one is made with the row.
  await claimKey(database.sql, { bucket, key, ownerId });
  if ((await limits.take('uploadByUser', ownerId)) > 0) throw tooManyUploads();
  const {
    declared,
    cacheControl,
    received: draft,
  } = await readUpload(ctx, (bytes) => files.receive(bytes, objectLimit), objectLimit);
  try {
    const { type, whole } = await checkImage(draft, declared);
    const kept = await bytesOf(embedded(database.sql), ownerId);
    if (kept + draft.size > personLimit) throw tooLarge();
    const { version, size, md5 } = whole;
    const upsert = ctx.method === 'PUT' || ctx.get('x-upsert') === 'true';
    const id = await keepObject(
      parts,
      whole,
      { bucket, key, ownerId, version, size, type, cacheControl, md5, now: clock() },
      upsert,
    );
    ctx.body = { Key: `${bucket}/${key}`, Id: id };
  } finally {
    await draft.drop();
  }
}
