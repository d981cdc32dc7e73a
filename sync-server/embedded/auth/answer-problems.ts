import type { Context, Middleware, Next } from 'koa';
import { isTransient } from '../../db/is-transient.ts';
import type { AuthParts } from './auth-parts.ts';
import { AuthProblem, TooManyRequests } from './auth-problem.ts';

const versionHeader = 'X-Supabase-Api-Version';
const codesAsText = '2024-01-01';

/** auth-js reads the text `code` only where this header comes back; without it, the older numeric form is due. */
function answer(ctx: Context, problem: AuthProblem): void {
  ctx.status = problem.status;
  ctx.set('x-sb-error-code', problem.code);
  if (problem instanceof TooManyRequests) ctx.set('Retry-After', String(problem.retryAfterSeconds));
  const weak = problem.weakReasons ? { weak_password: { reasons: problem.weakReasons } } : {};
  if (ctx.get(versionHeader) >= codesAsText) {
    ctx.set(versionHeader, codesAsText);
    ctx.body = { code: problem.code, message: problem.message, ...weak };
  } else {
    ctx.body = { code: problem.status, error_code: problem.code, msg: problem.message, ...weak };
  }
}

/** Turns every throw below /auth/v1 into the body auth-js expects. */
export function answerProblems({ log }: Pick<AuthParts, 'log'>): Middleware {
  return async (ctx: Context, next: Next) => {
    ctx.set('Cache-Control', 'no-store');
    try {
      await next();
    } catch (cause) {
      if (cause instanceof AuthProblem) return answer(ctx, cause);
      log.error({ err: cause, path: ctx.path }, 'embedded auth failed');
      // auth-js keeps its session and tries again for either.
      if (isTransient(cause)) ctx.set('Retry-After', '2');
      answer(
        ctx,
        new AuthProblem(
          isTransient(cause) ? 503 : 500,
          'unexpected_failure',
          'Unexpected failure, please check server logs for more information',
        ),
      );
    }
  };
}
