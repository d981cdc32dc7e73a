import type { Middleware } from 'koa';

/**
 * Calls in the house at once, at most. Ten connections to the database serve them, some milliseconds each, so whoever is let in
 * waits well under the five seconds after which a connection is given up for lost.
 */
export const mostAtOnce = 300;

const isCall = /^\/(api|auth|storage)\//;

/**
 * Turns calls away at the door while too many are inside: 503 `overloaded` with Retry-After, before anything of them is read, so
 * nothing that was accepted is ever dropped for it. Health and the app's own files are always answered. A stream that has begun
 * is not inside any more.
 */
export function shedLoad(most: number = mostAtOnce): Middleware {
  let inside = 0;
  return async (ctx, next) => {
    if (!isCall.test(ctx.path)) return next();
    if (inside >= most) {
      // Spread, so that they do not all come back in the same second.
      const seconds = 1 + Math.floor(Math.random() * 5);
      ctx.status = 503;
      ctx.set({ 'Cache-Control': 'no-store', 'Retry-After': String(seconds) });
      ctx.body = { error: 'Too many people at once. Nothing was lost: try again in a moment.', code: 'overloaded' };
      // What is not read must not be waited for.
      ctx.req.resume();
      return undefined;
    }
    inside += 1;
    try {
      return await next();
    } finally {
      inside -= 1;
    }
  };
}
