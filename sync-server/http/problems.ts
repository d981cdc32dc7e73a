import type { Middleware } from 'koa';
import { Rejection, type RejectionCode } from '../../shared/mutations/rejection.ts';
import { isTransient } from '../db/is-transient.ts';
import type { Log } from '../lib/log.ts';
import { HttpProblem, notFound, unavailable } from './http-problem.ts';

const statusOfRejection: Record<RejectionCode, number> = {
  invalid: 400,
  'too-many-photos': 400,
  'foreign-photo': 400,
  'file-missing': 409,
  'unknown-mutation': 400,
  'too-many-searches': 409,
  'too-many-notes': 409,
  'too-many-jobs': 429,
  'subscription-required': 403,
  'not-found': 404,
  'already-exists': 409,
  'job-closed': 409,
  stale: 409,
  'uid-reused': 409,
};

/**
 * Every throw becomes the one error body: `HttpProblem` as it says, a mutation's `Rejection` by its code, a database
 * that is away 503 with Retry-After, anything else 500 `internal` with the request's id and nothing of what went wrong.
 * A request without a route is 404 in the same shape.
 */
export function problems(log: Log): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body == null && ctx.respond !== false) throw notFound();
      // The router's own answers to a known path with another method.
      if ((ctx.status === 405 || ctx.status === 501) && ctx.body == null)
        throw new HttpProblem(ctx.status, { error: 'Method not allowed', code: 'method-not-allowed' });
    } catch (error) {
      if (ctx.headerSent) {
        log.warn({ requestId: ctx.state.requestId, err: error }, 'failed after the answer had begun');
        ctx.res.destroy();
        return;
      }
      const problem = problemOf(error, String(ctx.state.requestId));
      // A request rejected by the limiter has its line in the log already, and under a flood of them more lines would
      // only add load.
      if (problem.status >= 500 && problem.body.code !== 'overloaded')
        log[problem.status === 503 ? 'warn' : 'error'](
          { requestId: ctx.state.requestId, err: error },
          'request failed',
        );
      ctx.remove('Content-Encoding');
      ctx.remove('ETag');
      ctx.status = problem.status;
      ctx.set({ 'Cache-Control': 'no-store', ...problem.headers });
      ctx.body = problem.body;
    }
  };
}

function problemOf(error: unknown, requestId: string): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error instanceof Rejection) {
    const wrong = error.code === 'invalid' ? Object.values(error.fields ?? {}) : [];
    const body = { error: wrong.length > 1 ? wrong : error.message, code: error.code };
    return new HttpProblem(
      statusOfRejection[error.code],
      error.fields ? { ...body, details: { fields: error.fields } } : body,
    );
  }
  if (isTransient(error)) return unavailable();
  return new HttpProblem(500, { error: 'Something went wrong on our side.', code: 'internal', details: { requestId } });
}
