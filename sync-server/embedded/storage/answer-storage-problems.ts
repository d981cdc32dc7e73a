import type { Context, Middleware, Next } from 'koa';
import { isTransient } from '../../db/is-transient.ts';
import type { Log } from '../../lib/log.ts';
import { answerRefused } from './answer-refused.ts';
import { diskError, noRoom, StorageProblem } from './storage-problem.ts';

/**
 * The hosted service answers nearly every rejection with HTTP 400 and says the real code in the body; clients read
 * that.
 */
function httpStatusOf({ statusCode }: StorageProblem): number {
  return statusCode === 416 || statusCode === 429 || statusCode >= 500 ? statusCode : 400;
}

const full = new Set(['ENOSPC', 'EDQUOT']);
/**
 * Errors of the file system: too many files open, a disk that fails or may only be read. The operator can correct them;
 * the sender cannot.
 */
const faulty = new Set(['EMFILE', 'ENFILE', 'EIO', 'EROFS', 'EACCES', 'EPERM']);

function problemOf(cause: unknown): StorageProblem {
  if (cause instanceof StorageProblem) return cause;
  const code = cause instanceof Error ? String((cause as NodeJS.ErrnoException).code) : '';
  if (full.has(code)) return noRoom();
  if (faulty.has(code)) return diskError();
  return new StorageProblem(isTransient(cause) ? 503 : 500, 'InternalError', 'Internal server error', 'Internal');
}

/** Turns every throw below /storage/v1 into the body storage-js expects. */
export function answerStorageProblems(log: Log): Middleware {
  return async (ctx: Context, next: Next) => {
    try {
      await next();
    } catch (cause) {
      const problem = problemOf(cause);
      if (problem !== cause) log.error({ err: cause, path: ctx.path }, 'embedded storage failed');
      ctx.status = httpStatusOf(problem);
      if (problem.statusCode === 507) ctx.set('Retry-After', '60');
      if (problem.statusCode === 503) ctx.set('Retry-After', '2');
      ctx.set('Cache-Control', 'no-store');
      answerRefused(ctx, {
        statusCode: String(problem.statusCode),
        error: problem.word,
        message: problem.message,
        code: problem.code,
      });
    }
  };
}
