import * as zlib from 'node:zlib';
import compress from 'koa-compress';
import type { Context, Middleware } from 'koa';

const compressible = /^(text\/|application\/(.*\+)?(json|javascript|xml)|image\/svg)/;
/** Bytes from which an answer is worth it. */
const threshold = 1024;
const brotli = { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 };

/** Answers worth it go out compressed, as the client takes them; event streams must not wait in a compressor. */
export function compression(): Middleware {
  const compressed = compress({
    filter: (type) => compressible.test(type) && !type.startsWith('text/event-stream'),
    threshold,
    br: { params: brotli },
    deflate: false,
  });
  return (ctx, next) => {
    // A client that accepts none of them gets the bytes as they are (RFC 9110, 12.5.3); the library would fail after
    // the handler has run.
    if (ctx.acceptsEncodings('zstd', 'br', 'gzip', 'identity') === false) ctx.compress = false;
    return compressed(ctx, async () => {
      await next();
      compressAtOnce(ctx);
    });
  };
}

type Compress = (bytes: Buffer) => Buffer;

/** In the library's order. Node 20 has no zstd. */
const atOnce: readonly (readonly [name: string, compress: Compress])[] = [
  ...('zstdCompressSync' in zlib ? [['zstd', (bytes: Buffer) => zlib.zstdCompressSync(bytes)] as const] : []),
  ['br', (bytes) => zlib.brotliCompressSync(bytes, { params: brotli })],
  ['gzip', (bytes) => zlib.gzipSync(bytes)],
];

/** Most bytes that are compressed while everything else waits: a tenth of a millisecond. */
const maxAtOnce = 32 * 1024;

/**
 * An exchange's answer has some kilobytes. A stream with a compressor in it costs four times what compressing them does
 * (200 µs instead of 50), and Koa and the library would each make the JSON's text once more to learn its length.
 */
function compressAtOnce(ctx: Context): void {
  const { body } = ctx;
  const isJson =
    typeof body === 'object' &&
    body !== null &&
    [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(body));
  if (!isJson || ctx.headerSent) return;
  const text = JSON.stringify(body);
  ctx.body = text;
  if (ctx.compress === false || ctx.method === 'HEAD' || text.length > maxAtOnce) return;
  const bytes = Buffer.from(text);
  // A client that weighs them is left to the library.
  const accepted = ctx.get('Accept-Encoding');
  if (bytes.length < threshold || bytes.length > maxAtOnce || /[*;]/.test(accepted)) return;
  const [name, encode] = atOnce.find(([one]) => ctx.acceptsEncodings(one) === one) ?? [];
  if (name === undefined || encode === undefined) return;
  ctx.body = encode(bytes);
  ctx.set('Content-Encoding', name);
}
