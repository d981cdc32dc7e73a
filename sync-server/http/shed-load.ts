import type { Middleware } from 'koa';
import { isUpload } from './app-paths.ts';
import type { AddressBlock, CallerOf } from '../lib/client-address.ts';
import { HttpProblem } from './http-problem.ts';

/**
 * Concurrent calls, at most. Ten connections to the database serve them, some milliseconds each, so an admitted call
 * waits well under the five seconds after which a connection counts as lost. One client address may have a third of it.
 */
export const callsAtOnce: ConcurrencyLimits = { max: 300, perAddress: 100 };

/**
 * How many calls may run at once, and how many of one client address; a wider block of addresses has as many shares as
 * it says.
 */
export interface ConcurrencyLimits {
  max: number;
  perAddress: number;
}

/** Counts the calls that run. */
export interface ConcurrencyLimiter {
  /** False past the limit; an admitted call must leave again, with the same blocks. */
  enter(blocks: readonly AddressBlock[]): boolean;
  leave(blocks: readonly AddressBlock[]): void;
}

export function createConcurrencyLimiter({ max, perAddress }: ConcurrencyLimits): ConcurrencyLimiter {
  let inside = 0;
  const byBlock = new Map<string, number>();
  const count = (name: string) => byBlock.get(name) ?? 0;
  return {
    enter(blocks) {
      if (inside >= max || blocks.some(({ name, share }) => count(name) >= perAddress * share)) return false;
      inside += 1;
      for (const { name } of blocks) byBlock.set(name, count(name) + 1);
      return true;
    },
    leave(blocks) {
      inside -= 1;
      for (const { name } of blocks) {
        if (count(name) > 1) byBlock.set(name, count(name) - 1);
        else byBlock.delete(name);
      }
    },
  };
}

/** 503 `overloaded` with Retry-After, spread so that they do not all come back in the same second. */
export function overloaded(): HttpProblem {
  const seconds = 1 + Math.floor(Math.random() * 5);
  const error = 'Too many people at once. Nothing was lost: try again in a moment.';
  return new HttpProblem(503, { error, code: 'overloaded' }, { 'Retry-After': String(seconds) });
}

const isCall = /^\/(api|auth|storage)\//;

/**
 * Rejects calls past the limit before any work is done for them, so nothing that was accepted is ever dropped. Runs
 * after `bufferBody`: a body is complete before its call counts, and a photo has a bulkhead of its own there. Health
 * and the app's own files are always answered. A stream that has begun does not count any more.
 *
 * @throws HttpProblem 503 `overloaded`
 */
export function shedLoad(limiter: ConcurrencyLimiter, callerOf: CallerOf): Middleware {
  return async (ctx, next) => {
    if (!isCall.test(ctx.path) || isUpload(ctx)) return next();
    const { blocks } = callerOf(ctx.req);
    if (!limiter.enter(blocks)) throw overloaded();
    try {
      return await next();
    } finally {
      limiter.leave(blocks);
    }
  };
}
