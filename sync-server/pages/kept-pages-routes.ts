import Router from '@koa/router';
import { giveUpKeptPages, keptPagesPath } from '../../shared/lib/kept-pages.ts';
import { forbidden } from '../http/http-problem.ts';

/**
 * `POST /api/kept-pages`: 204, and the browser gives up the pages that it keeps. For the app alone: another site's page
 * cannot ask for it.
 */
export function keptPagesRoutes(): Router {
  const router = new Router();
  router.post(keptPagesPath, (ctx) => {
    if (!['', 'same-origin'].includes(ctx.get('Sec-Fetch-Site'))) throw forbidden('For pages of this site alone');
    ctx.set(giveUpKeptPages);
    ctx.set('Cache-Control', 'no-store');
    ctx.status = 204;
  });
  return router;
}
