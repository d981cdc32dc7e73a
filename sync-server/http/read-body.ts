import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Context } from 'koa';
import { getRawBody, type RawBodyErrorType } from 'raw-body';
import { badRequest, tooLarge, unsupportedType } from './http-problem.ts';

export interface BodyLimits {
  /** Most bytes, counted after decompression. */
  limit?: number;
}

const defaultLimit = 256 * 1024;
/** Most levels of nested JSON: more than any body of ours has, few enough for every recursion behind. */
const deepest = 32;

/**
 * The request's bytes, `Content-Encoding: gzip` undone. Webhooks check their signature over these.
 *
 * @throws 413 past the limit, 415 for another encoding, 400 for gzip that is none or a body cut short.
 */
export async function readBody(ctx: Context, { limit = defaultLimit }: BodyLimits = {}): Promise<Buffer> {
  const encoding = ctx.get('Content-Encoding').toLowerCase() || 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip')
    throw unsupportedType('Only gzip or no Content-Encoding is understood');
  const buffered = ctx.state['bufferedBody'] as BufferedBody | undefined;
  const bytes = buffered === undefined ? await readWhole(ctx, limit) : buffered();
  if (bytes.length > limit) throw tooLarge(limit);
  return encoding === 'gzip' ? unzip(bytes, limit) : bytes;
}

/** The bytes of a body that is in already; throws what was wrong with it. */
export type BufferedBody = () => Buffer;

/**
 * The request's bytes as they came.
 *
 * @throws 413 past the limit, 400 for a body cut short.
 */
export async function readWhole({ req }: Context, limit: number): Promise<Buffer> {
  try {
    // The length is known before a byte is read.
    return await getRawBody(req, { limit, length: req.headers['content-length'] ?? null });
  } catch (error) {
    const { type } = error as { type?: RawBodyErrorType };
    if (type === 'entity.too.large') throw tooLarge(limit);
    if (type === 'request.aborted' || type === 'request.size.invalid' || type === 'stream.not.readable')
      throw badRequest('The body ended early', 'malformed');
    throw error;
  } finally {
    // The rest of a rejected body must not hold the connection.
    req.resume();
  }
}

const gunzipped = promisify(gunzip);

async function unzip(bytes: Buffer, limit: number): Promise<Buffer> {
  try {
    return await gunzipped(bytes, { maxOutputLength: limit });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limit);
    throw badRequest('The body is not valid gzip', 'malformed');
  }
}

/**
 * The request's JSON.
 *
 * @throws what `readBody` throws, 415 where the content type is not JSON, 400 `malformed` where the text is not, or is
 * nested too deeply.
 */
export async function readJson(ctx: Context, limits?: BodyLimits): Promise<unknown> {
  if (!ctx.is('json', '+json')) throw unsupportedType('The body must be application/json');
  const bytes = await readBody(ctx, limits);
  const value = parseJson(bytes);
  if (isDeeperThan(deepest, value)) throw badRequest('The JSON is nested too deeply', 'malformed');
  return value;
}

/**
 * The JSON that these bytes are.
 *
 * @throws 400 `malformed` where they are none, or `revive` throws.
 */
export function parseJson(bytes: Buffer, revive?: (key: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes), revive);
  } catch {
    throw badRequest('The body is not valid JSON', 'malformed');
  }
}

/** Level by level, because recursion would overflow the stack at a hostile depth. */
function isDeeperThan(max: number, value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > max) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}
