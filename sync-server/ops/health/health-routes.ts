import Router from '@koa/router';
import type { Deps } from '../../ports/deps.ts';
import { unavailable } from '../../http/http-problem.ts';
import { databaseProbes } from './probes.ts';
import { createReadiness } from './readiness.ts';

/**
 * `GET /health/live` -> 200 `{ status: 'live' }` while the process answers at all.
 * `GET /health/ready` -> 200 `{ status, checks }` when it can serve: `ready`, or `degraded` where a hosted service that
 * it can do without for a while is down; else 503 `unavailable` with `details.reasons` and `details.checks`. Each
 * check: `Check` of readiness.ts.
 */
export function healthRoutes(deps: Deps): Router {
  const router = new Router();
  const readiness = createReadiness({ ...deps, probes: [...databaseProbes(deps.database), ...deps.probes] });
  router.get('/health/live', (ctx) => {
    ctx.body = { status: 'live' };
  });
  router.get('/health/ready', async (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    if (deps.closing.aborted) throw unavailable('Not ready: stopping', 2, { reasons: ['stopping'] });
    const { checks, reasons } = await readiness();
    if (reasons.length > 0) throw unavailable(`Not ready: ${reasons.join(', ')}`, 2, { reasons, checks });
    ctx.body = { status: Object.values(checks).every(({ state }) => state === 'ok') ? 'ready' : 'degraded', checks };
  });
  return router;
}
