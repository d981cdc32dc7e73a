import type { Middleware } from 'koa';

/** Answers of calls are somebody's and of this moment: nobody keeps them, unless a route says otherwise. */
export function uncachedCalls(): Middleware {
  return async (ctx, next) => {
    if (ctx.path.startsWith('/api/')) ctx.set('Cache-Control', 'no-store');
    await next();
  };
}
