import type Router from '@koa/router';
import { apiRoutes } from './api-routes.ts';
import { createJobMails } from './job-mails.ts';
import { keptNoteRoutes } from './pages/kept-note-routes.ts';
import { keptPagesRoutes } from './pages/kept-pages-routes.ts';
import { sitemapRoutes } from './pages/sitemap-routes.ts';
import { webhookRoute } from './billing/webhook-route.ts';
import type { Deps } from './ports/deps.ts';
import { unsubscribeRoutes } from './effects/unsubscribe-routes.ts';
import { healthRoutes } from './ops/health/health-routes.ts';

export type RouteModule = (deps: Deps) => Router;

const unsubscribe: RouteModule = (deps) => unsubscribeRoutes({ ...deps, jobMails: createJobMails(deps) });

/** Every route of ours. The embedded counterparts bring theirs themselves. */
export const routes: RouteModule[] = [
  healthRoutes,
  apiRoutes,
  webhookRoute,
  unsubscribe,
  keptNoteRoutes,
  keptPagesRoutes,
  sitemapRoutes,
];
