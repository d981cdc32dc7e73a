import busboy from 'busboy';
import type { Context } from 'koa';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { invalidRequest, StorageProblem, tooLarge } from './storage-problem.ts';

export interface Upload<T> {
  declared: string;
  cacheControl: string;
  received: T;
}

type Receive<T> = (bytes: AsyncIterable<Uint8Array>) => Promise<T>;

const noCache = 'no-cache';
const cacheWords =
  /^((public|private|no-cache|no-store|immutable|must-revalidate|(s-maxage|max-age|stale-while-revalidate)=\d{1,9})(, ?|$))+$/;

/** The type a sender declares, without its parameters; `image/jpg` is what some devices say for JPEG. */
function declaredType(header: string): string {
  const type = header.split(';')[0]?.trim().toLowerCase() ?? '';
  return type === 'image/jpg' ? 'image/jpeg' : type;
}

/**
 * Leaves the stream usable when reading stops early: the rest still has to be read and dropped before the client reads
 * an answer.
 */
const chunksOf = (stream: Readable) => stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;

/**
 * The file in the request, handed to `receive` as it arrives: the raw body, or the one file of a form (storage-js sends
 * Blobs so, in a part without a name, after `cacheControl`).
 *
 * @throws StorageProblem `EntityTooLarge`, `InvalidRequest` where there is no whole file, and whatever `receive` throws
 */
export async function readUpload<T>(ctx: Context, receive: Receive<T>, limit: number): Promise<Upload<T>> {
  const isForm = ctx.get('Content-Type').toLowerCase().startsWith('multipart/form-data');
  // A form's boundaries and fields are small; what is plainly too large need not be kept.
  if (Number(ctx.get('Content-Length')) > limit + (isForm ? 64 * 1024 : 0)) throw tooLarge();
  try {
    if (isForm) return await readForm(ctx, receive);
    const received = await receive(chunksOf(ctx.req));
    const cache = ctx.get('Cache-Control');
    return {
      declared: declaredType(ctx.get('Content-Type')),
      cacheControl: cacheWords.test(cache) ? cache : noCache,
      received,
    };
  } catch (cause) {
    if (ctx.req.destroyed && !ctx.req.complete) throw invalidRequest('The body ended early');
    throw cause;
  }
}

async function readForm<T>(ctx: Context, receive: Receive<T>): Promise<Upload<T>> {
  const form = openForm(ctx);
  let cacheControl = noCache;
  let file: { declared: string; received: Promise<T> } | undefined;
  form.on('field', (name: string, value: string) => {
    if (name === 'cacheControl' && /^\d{1,9}$/.test(value)) cacheControl = `max-age=${value}`;
  });
  form.on('file', (_name, bytes, { mimeType }) => {
    // A form cut short fails its file as well, perhaps when it is not read any more; `flow` reports it.
    bytes.on('error', () => undefined);
    const received = receive(chunksOf(bytes));
    // It is awaited below; until then the rest of the form has to flow past.
    received.catch(() => bytes.resume());
    file = { declared: declaredType(mimeType), received };
  });
  const isWhole = await flow(ctx, form);
  const outcome = file && (await Promise.allSettled([file.received]))[0];
  const rejection: unknown = outcome?.status === 'rejected' ? outcome.reason : undefined;
  if (!isWhole && !(rejection instanceof StorageProblem))
    throw invalidRequest('The form is not valid multipart/form-data');
  if (rejection !== undefined) throw rejection;
  if (!file) throw invalidRequest('The form has no file');
  return { declared: file.declared, cacheControl, received: await file.received };
}

/** Did all of the form arrive, and was it one? */
async function flow(ctx: Context, form: ReturnType<typeof busboy>): Promise<boolean> {
  // `pipe` does not end the form when the sender goes away in the middle.
  ctx.req.once('close', () => {
    if (!ctx.req.complete) form.destroy();
  });
  ctx.req.pipe(form);
  return finished(form).then(
    () => true,
    () => false,
  );
}

function openForm(ctx: Context): ReturnType<typeof busboy> {
  try {
    return busboy({ headers: ctx.headers, limits: { files: 1, fields: 10, fieldSize: 64 * 1024, parts: 12 } });
  } catch {
    throw invalidRequest('The form is not valid multipart/form-data');
  }
}
