import { constants } from 'node:zlib';
import compress from 'koa-compress';
import type { Middleware } from 'koa';

const compressible = /^(text\/|application\/(.*\+)?(json|javascript|xml)|image\/svg)/;

/** Answers worth it go out as brotli or gzip, as the client takes them; event streams must not wait in a compressor. */
export function compression(): Middleware {
  const compressed = compress({
    filter: (type) => compressible.test(type) && !type.startsWith('text/event-stream'),
    threshold: 1024,
    br: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    deflate: false,
  });
  return (ctx, next) => {
    // A client that accepts none of them gets the bytes as they are (RFC 9110, 12.5.3); the library would fail after
    // the handler has run.
    if (ctx.acceptsEncodings('zstd', 'br', 'gzip', 'identity') === false) ctx.compress = false;
    return compressed(ctx, next);
  };
}
