import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
} from '@tanstack/react-router';
import * as z from 'zod/mini';
import { jobSearchSchema } from '../features/jobs/job-filters.ts';
import { tradieSearchSchema } from '../features/tradies/tradie-filters.ts';
import { NotFoundPage } from '../features/frame/not-found-page.tsx';
import { GatedLayout } from './gated-layout.tsx';
import { HomeRoute } from './home-route.tsx';
import { RootLayout } from './root-layout.tsx';

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}

const root = createRootRoute({ component: RootLayout, notFoundComponent: NotFoundPage });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: HomeRoute,
});

/** Pages that need to know who is here. The others wait for nothing. */
const gated = createRoute({ getParentRoute: () => root, id: 'gated', component: GatedLayout });

const dashboardSearchSchema = z.object({
  subscription: z.catch(z.optional(z.enum(['success', 'cancelled'])), undefined),
  posted: z.catch(z.optional(z.boolean()), undefined),
});

const dashboard = createRoute({
  getParentRoute: () => gated,
  path: '/dashboard',
  validateSearch: dashboardSearchSchema,
  component: lazyRouteComponent(() => import('./dashboard-route.tsx'), 'DashboardRoute'),
});

const postJob = createRoute({
  getParentRoute: () => gated,
  path: '/post-job',
  validateSearch: z.object({ again: z.catch(z.optional(z.string()), undefined), like: z.catch(z.optional(z.string()), undefined) }),
  component: lazyRouteComponent(() => import('./post-job-route.tsx'), 'PostJobRoute'),
});

const findJobs = createRoute({
  getParentRoute: () => gated,
  path: '/find-jobs',
  validateSearch: jobSearchSchema,
  component: lazyRouteComponent(() => import('./find-jobs-route.tsx'), 'FindJobsRoute'),
});

const job = createRoute({
  getParentRoute: () => gated,
  path: '/job/$id',
  component: lazyRouteComponent(() => import('./job-route.tsx'), 'JobRoute'),
});

const editJob = createRoute({
  getParentRoute: () => gated,
  path: '/edit-job/$id',
  validateSearch: z.object({ again: z.catch(z.optional(z.string()), undefined) }),
  component: lazyRouteComponent(() => import('./edit-job-route.tsx'), 'EditJobRoute'),
});

const waiting = createRoute({
  getParentRoute: () => gated,
  path: '/waiting',
  component: lazyRouteComponent(() => import('./waiting-route.tsx'), 'WaitingRoute'),
});

const legal = createRoute({
  getParentRoute: () => root,
  path: '/legal',
  component: lazyRouteComponent(() => import('../features/legal/legal-page.tsx'), 'LegalPage'),
});

const findTradies = createRoute({
  getParentRoute: () => root,
  path: '/find-tradies',
  validateSearch: tradieSearchSchema,
  component: lazyRouteComponent(() => import('./find-tradies-route.tsx'), 'FindTradiesRoute'),
});

const tradie = createRoute({
  getParentRoute: () => root,
  path: '/tradie/$id',
  component: lazyRouteComponent(() => import('./tradie-route.tsx'), 'TradieRoute'),
});

const becomeTradie = createRoute({
  getParentRoute: () => gated,
  path: '/become-tradie',
  component: lazyRouteComponent(() => import('./become-tradie-route.tsx'), 'BecomeTradieRoute'),
});

const editTradie = createRoute({
  getParentRoute: () => gated,
  path: '/edit-tradie',
  component: lazyRouteComponent(() => import('./edit-tradie-route.tsx'), 'EditTradieRoute'),
});

const editAccount = createRoute({
  getParentRoute: () => gated,
  path: '/edit-account',
  component: lazyRouteComponent(() => import('./edit-account-route.tsx'), 'EditAccountRoute'),
});

const devUi = createRoute({
  getParentRoute: () => root,
  path: '/dev/ui',
  component: lazyRouteComponent(() => import('./dev-ui-route.tsx'), 'DevUiRoute'),
});

const routeTree = root.addChildren([
  home,
  devUi,
  legal,
  findTradies,
  tradie,
  gated.addChildren([becomeTradie, editTradie, editAccount, dashboard, postJob, findJobs, job, editJob, waiting]),
]);

/** One app instance's router. `history`: the browser's own unless a test brings one. */
export function createAppRouter(history?: RouterHistory) {
  return createRouter({
    routeTree,
    scrollRestoration: true,
    defaultPreload: 'intent',
    ...(history === undefined ? {} : { history }),
  });
}
