import { randomUUID } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import type { Log } from '../log.ts';

const acceptableId = /^[\w-]{8,64}$/;

/** Adds to the line that will be written of this request: ids, names, codes and counts only. */
export function noteInLog(ctx: Context, more: Readonly<Record<string, unknown>>): void {
  ctx.state['logged'] = { ...(ctx.state['logged'] as object | undefined), ...more };
}

/**
 * Gives every request an id (the caller's `X-Request-Id` where it is a plain one), and writes one line when its answer has
 * gone out or was cut off. Paths only: query strings carry tokens.
 */
export function requestLog(log: Log): Middleware {
  return async (ctx, next) => {
    const began = performance.now();
    const given = ctx.get('X-Request-Id');
    const requestId = acceptableId.test(given) ? given : randomUUID();
    ctx.state.requestId = requestId;
    ctx.set('X-Request-Id', requestId);
    ctx.res.once('close', () => {
      const line = {
        requestId,
        method: ctx.method,
        path: ctx.path,
        status: ctx.res.statusCode,
        ms: Math.round(performance.now() - began),
        // Handlers may add what helps an operator: the actor's id, mutation names, a version.
        ...ctx.state.logged,
        ...(ctx.res.writableFinished ? {} : { cut: true }),
      };
      log[ctx.path.startsWith('/health/') ? 'debug' : 'info'](line, 'request');
    });
    await next();
  };
}
