import type { Middleware } from 'koa';

/** Answers of calls are personal and change: `no-store`, unless a route says otherwise. */
export function uncachedCalls(): Middleware {
  return async (ctx, next) => {
    if (ctx.path.startsWith('/api/')) ctx.set('Cache-Control', 'no-store');
    await next();
  };
}
