import Router from '@koa/router';
import type { Deps } from '../deps.ts';
import { unavailable } from '../http/http-problem.ts';
import { readiness } from './readiness.ts';

/**
 * `GET /health/live` -> 200 `{ status: 'live' }` while the process answers at all.
 * `GET /health/ready` -> 200 `{ status: 'ready' }` when it can serve, else 503 `unavailable` with `details.reasons`.
 */
export function healthRoutes(deps: Deps): Router {
  const router = new Router();
  router.get('/health/live', (ctx) => {
    ctx.body = { status: 'live' };
  });
  router.get('/health/ready', async (ctx) => {
    const reasons = deps.closing.aborted ? ['stopping'] : await readiness(deps);
    if (reasons.length > 0) throw unavailable(`Not ready: ${reasons.join(', ')}`, 2, { reasons });
    ctx.body = { status: 'ready' };
  });
  return router;
}
