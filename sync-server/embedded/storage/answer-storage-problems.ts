import type { Context, Middleware, Next } from 'koa';
import { isTransient } from '../../db/is-transient.ts';
import type { Log } from '../../log.ts';
import { drain } from './drain.ts';
import { StorageProblem } from './storage-problem.ts';

/** The hosted service answers nearly every refusal with HTTP 400 and says the real code in the body; clients read that. */
function httpStatusOf({ statusCode }: StorageProblem): number {
  return statusCode === 416 || statusCode === 429 || statusCode >= 500 ? statusCode : 400;
}

/** Turns every throw below /storage/v1 into the body storage-js expects. */
export function answerStorageProblems(log: Log): Middleware {
  return async (ctx: Context, next: Next) => {
    try {
      await next();
    } catch (cause) {
      const problem = cause instanceof StorageProblem ? cause : new StorageProblem(isTransient(cause) ? 503 : 500, 'InternalError', 'Internal server error', 'Internal');
      if (problem !== cause) log.error({ err: cause, path: ctx.path }, 'embedded storage failed');
      await drain(ctx);
      ctx.status = httpStatusOf(problem);
      if (problem.statusCode === 503) ctx.set('Retry-After', '2');
      ctx.set('Cache-Control', 'no-store');
      ctx.body = { statusCode: String(problem.statusCode), error: problem.word, message: problem.message, code: problem.code };
    }
  };
}
