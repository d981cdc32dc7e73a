import Router from '@koa/router';
import type { Context } from 'koa';
import { readPicture } from '../../../shared/lib/picture.ts';
import type { Database } from '../../db/database.ts';
import { createConcurrencyLimiter } from '../../http/shed-load.ts';
import type { VerifyToken } from '../../http/verify-token.ts';
import type { Log } from '../../lib/log.ts';
import type { RateLimits } from '../auth/rate-limits.ts';
import { answerStorageProblems } from './answer-storage-problems.ts';
import { createFileStore, storageFolder, type FileStore } from './file-store.ts';
import { listFolder, removeKeys, describeObject } from './manage-objects.ts';
import { checkBucket, checkKey } from './object-key.ts';
import { serveObject } from './serve-object.ts';
import type { StorageParts } from './storage-parts.ts';
import { invalidKey, StorageProblem, wrongType } from './storage-problem.ts';
import { keepObject, upload } from './upload.ts';

export interface EmbeddedStorageOptions {
  database: Database;
  clock: () => Date;
  log: Log;
  /** Files go below `storage` in it. */
  dataDir: string;
  /** All three from `createEmbeddedAuth`. */
  verifyToken: VerifyToken;
  anonKey: string;
  limits: RateLimits;
  objectLimit?: number;
  personLimit?: number;
}

interface Seeded {
  bucket: 'job-photos' | 'tradie-logos';
  key: string;
  bytes: Uint8Array;
  ownerId: string | null;
}

export interface EmbeddedStorage {
  /** The routes under /storage/v1. They read the raw body: mount them before any body parser. */
  router: Router;
  /** For seeding: puts an image, in place of what was there. */
  put(object: Seeded): Promise<void>;
  /** Where the bytes are, for the retention and for the check that they can be written. */
  files: FileStore;
}

const mebibyte = 1024 * 1024;
/** A device sends two at a time. A person with many addresses must not fill the bulkhead of all photos. */
const uploadsAtOnce = { max: Infinity, perAddress: 10 };
const seededCache = 'max-age=3600';

/** The hosted storage's routes as far as storage-js and this product use them. */
export async function createEmbeddedStorage(options: EmbeddedStorageOptions): Promise<EmbeddedStorage> {
  const files = await createFileStore(storageFolder(options.dataDir));
  const { objectLimit = 5 * mebibyte, personLimit = 1024 * mebibyte } = options;
  const parts: StorageParts = {
    ...options,
    files,
    uploading: createConcurrencyLimiter(uploadsAtOnce),
    objectLimit,
    personLimit,
  };

  async function put({ bucket, key, bytes, ownerId }: Seeded): Promise<void> {
    const type = readPicture(bytes)?.type;
    if (type === undefined) throw wrongType('unknown');
    const draft = await files.receive(once(bytes), parts.objectLimit);
    const { version, size, md5 } = draft;
    const object = {
      bucket: checkBucket(bucket),
      key: checkKey(key),
      ownerId,
      version,
      size,
      type,
      cacheControl: seededCache,
      md5,
      now: parts.clock(),
    };
    await keepObject(parts, draft, object, true);
  }

  const router = new Router();
  router.use(answerStorageProblems(options.log));
  router.all(/^\/storage\/v1\/object\/.*$/, (ctx) => route(parts, ctx));
  return { router, put, files };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The path below /object, undone of its percent signs once, before anything is checked. */
function segmentsOf(ctx: Context): string[] {
  const path = ctx.path.slice('/storage/v1/object/'.length);
  try {
    return decodeURIComponent(path).split('/');
  } catch {
    throw invalidKey(path);
  }
}

async function route(parts: StorageParts, ctx: Context): Promise<void> {
  const segments = segmentsOf(ctx);
  const [first = '', second = ''] = segments;
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  const at = (skip: number) =>
    [checkBucket(segments[skip] ?? ''), checkKey(segments.slice(skip + 1).join('/'))] as const;

  if (isRead && first === 'info')
    return describeObject(parts, ctx, ...at(second === 'public' || second === 'authenticated' ? 2 : 1));
  // Both buckets are public, so a token changes nothing.
  if (isRead) return serveObject(parts, ctx, ...at(first === 'public' || first === 'authenticated' ? 1 : 0));
  if (ctx.method === 'POST' && first === 'list' && segments.length === 2)
    return listFolder(parts, ctx, checkBucket(second));
  if (ctx.method === 'DELETE' && segments.length === 1) return removeKeys(parts, ctx, checkBucket(first));
  if (ctx.method === 'POST' || ctx.method === 'PUT') return upload(parts, ctx, ...at(0));
  throw new StorageProblem(404, 'InvalidRequest', 'Route not found', 'Not Found');
}
