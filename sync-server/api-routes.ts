import type Router from '@koa/router';
import { alertHandlers } from './api/alert-handlers.ts';
import { billingHandlers } from './billing/billing-handlers.ts';
import type { Deps } from './ports/deps.ts';
import { pageStyle, pageStylePath } from './http/html-page.ts';
import { callRouter } from './api/call-router.ts';
import { createContactReads } from './api/contact-reads.ts';
import { createDecide } from './api/decide.ts';
import { docsPage } from './api/docs-page.ts';
import { jobHandlers } from './api/job-handlers.ts';
import { createApiDocument } from './api/openapi.ts';
import { readRow } from './api/read-rows.ts';
import { referenceHandlers } from './api/reference-handlers.ts';
import { tradieHandlers } from './api/tradie-handlers.ts';
import { userHandlers } from './api/user-handlers.ts';

/** Every documented call, the OpenAPI document at `/api/openapi.json`, and a page to read at `/api/docs`. */
export function apiRoutes(deps: Deps): Router {
  const parts = { decide: createDecide(deps), contactReads: createContactReads(deps) };
  const handlers = {
    ...referenceHandlers(deps),
    ...userHandlers(deps),
    ...jobHandlers(deps, parts),
    ...tradieHandlers(deps, parts),
    ...billingHandlers(deps),
    ...alertHandlers(deps),
  };
  const router = callRouter(deps, handlers, (userId) => readRow(deps.database.sql, 'users', userId));
  // The document and its page are made when they are first asked for: that takes a seventh of a server's whole start.
  let document: ReturnType<typeof createApiDocument> | undefined;
  let page: string | undefined;
  router.get('/api/openapi.json', (ctx) => {
    ctx.body = document ??= createApiDocument();
  });
  router.get('/api/docs', (ctx) => {
    ctx.type = 'html';
    ctx.body = page ??= docsPage();
  });
  router.get(pageStylePath, (ctx) => {
    ctx.set('Cache-Control', 'public, max-age=3600');
    ctx.type = 'css';
    ctx.body = pageStyle;
  });
  return router;
}
