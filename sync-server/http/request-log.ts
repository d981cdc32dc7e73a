import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { Log } from '../lib/log.ts';

const acceptableId = /^[\w-]{8,64}$/;

/** Adds to the line that will be written of this request: ids, names, codes and counts only. */
export function noteInLog(ctx: Context, more: Readonly<Record<string, unknown>>): void {
  ctx.state['logged'] = { ...(ctx.state['logged'] as object | undefined), ...more };
}

/** The caller's `X-Request-Id` where it is a plain one, else one of our own. */
export function requestIdOf(given: string): string {
  return acceptableId.test(given) ? given : randomUUID();
}

export interface Asked {
  requestId: string;
  method: string;
  /** Without the query string, which may carry a token. */
  path: string;
  /** `performance.now()` when it came. */
  began: number;
}

/** The holder of one of these addresses may do what it is for: stop a person's mails, pay in their name. */
const holders = /^(\/api\/mail\/unsubscribe\/|\/dev\/payments\/[^/]*\/)[^/]+/i;

/** Writes the request's line when its answer has gone out or was cut off. `more` is asked then. */
export function logWhenClosed(
  log: Log,
  res: ServerResponse,
  { began, ...asked }: Asked,
  more: () => object | undefined,
): void {
  res.once('close', () => {
    const line = {
      ...asked,
      path: asked.path.replace(holders, '$1[hidden]'),
      status: res.statusCode,
      ms: Math.round(performance.now() - began),
      // Handlers may add what helps an operator: the actor's id, mutation names, a version.
      ...more(),
      ...(res.writableFinished ? {} : { cut: true }),
    };
    log[asked.path.startsWith('/health/') ? 'debug' : 'info'](line, 'request');
  });
}

/** Gives every request an id, and writes one line of it. */
export function requestLog(log: Log): Middleware {
  return async (ctx, next) => {
    const requestId = requestIdOf(ctx.get('X-Request-Id'));
    ctx.state.requestId = requestId;
    ctx.set('X-Request-Id', requestId);
    logWhenClosed(
      log,
      ctx.res,
      { requestId, method: ctx.method, path: ctx.path, began: performance.now() },
      () => ctx.state['logged'] as object | undefined,
    );
    await next();
  };
}
