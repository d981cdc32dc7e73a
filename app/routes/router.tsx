import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type AnyRoute,
  type RouterHistory,
} from '@tanstack/react-router';
import type { PagePath } from '../../shared/routes.ts';
import { BrokenPage } from '../features/frame/broken-page.tsx';
import { readJobSearch } from '../features/jobs/job-filters.ts';
import { readTradieSearch } from '../features/tradies/tradie-filters.ts';
import { oneOf, parseSearch, readFlag, readText, stringifySearch, type RawSearch } from '../lib/read-search.ts';
import { GatedLayout } from './gated-layout.tsx';
import { importAgain } from '../lib/import-again.ts';
import { mayMove } from '../lib/may-move.ts';
import { RootLayout } from './root-layout.tsx';

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}

const lazyPage: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(importAgain(load), name);

const root = createRootRoute({
  component: RootLayout,
  notFoundComponent: lazyPage(() => import('../features/frame/not-found-page.tsx'), 'NotFoundPage'),
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/' satisfies PagePath,
  component: lazyPage(() => import('./home-route.tsx'), 'HomeRoute'),
});

/** Pages that need the session; the others wait for nothing. */
const gated = createRoute({ getParentRoute: () => root, id: 'gated', component: GatedLayout });

const readOutcome = oneOf(['success', 'cancelled']);

/**
 * How the person came here; the dashboard removes it from the address once it was shown. `posted`: true where the
 * server has the new job, false where it waits on this phone.
 */
const readDashboardSearch = (
  raw: RawSearch,
): { subscription?: ReturnType<typeof readOutcome>; posted?: boolean | undefined } => ({
  subscription: readOutcome(raw['subscription']),
  posted: readFlag(raw['posted']),
});

/** `again`: the id of the job, or of the rejected change, that the form begins from. */
const readAgain = (raw: RawSearch): { again?: string | undefined } => ({ again: readText(raw['again']) });

/** `like`: the id of a closed job whose words the form begins with. */
const readPostSearch = (raw: RawSearch): { again?: string | undefined; like?: string | undefined } => ({
  ...readAgain(raw),
  like: readText(raw['like']),
});

const dashboard = createRoute({
  getParentRoute: () => gated,
  path: '/dashboard' satisfies PagePath,
  validateSearch: readDashboardSearch,
  component: lazyPage(() => import('./dashboard-route.tsx'), 'DashboardRoute'),
});

const postJob = createRoute({
  getParentRoute: () => gated,
  path: '/post-job' satisfies PagePath,
  validateSearch: readPostSearch,
  component: lazyPage(() => import('./post-job-route.tsx'), 'PostJobRoute'),
});

const findJobs = createRoute({
  getParentRoute: () => gated,
  path: '/find-jobs' satisfies PagePath,
  validateSearch: readJobSearch,
  component: lazyPage(() => import('./find-jobs-route.tsx'), 'FindJobsRoute'),
});

const job = createRoute({
  getParentRoute: () => gated,
  path: '/job/$id' satisfies PagePath,
  component: lazyPage(() => import('./job-route.tsx'), 'JobRoute'),
});

const editJob = createRoute({
  getParentRoute: () => gated,
  path: '/edit-job/$id' satisfies PagePath,
  validateSearch: readAgain,
  component: lazyPage(() => import('./edit-job-route.tsx'), 'EditJobRoute'),
});

const waiting = createRoute({
  getParentRoute: () => gated,
  path: '/waiting' satisfies PagePath,
  component: lazyPage(() => import('./waiting-route.tsx'), 'WaitingRoute'),
});

const legal = createRoute({
  getParentRoute: () => root,
  path: '/legal' satisfies PagePath,
  component: lazyPage(() => import('../features/legal/legal-page.tsx'), 'LegalPage'),
});

const findTradies = createRoute({
  getParentRoute: () => root,
  path: '/find-tradies' satisfies PagePath,
  validateSearch: readTradieSearch,
  component: lazyPage(() => import('./find-tradies-route.tsx'), 'FindTradiesRoute'),
});

const tradie = createRoute({
  getParentRoute: () => root,
  path: '/tradie/$id' satisfies PagePath,
  component: lazyPage(() => import('./tradie-route.tsx'), 'TradieRoute'),
});

const becomeTradie = createRoute({
  getParentRoute: () => gated,
  path: '/become-tradie' satisfies PagePath,
  component: lazyPage(() => import('./become-tradie-route.tsx'), 'BecomeTradieRoute'),
});

const editTradie = createRoute({
  getParentRoute: () => gated,
  path: '/edit-tradie' satisfies PagePath,
  component: lazyPage(() => import('./edit-tradie-route.tsx'), 'EditTradieRoute'),
});

const editAccount = createRoute({
  getParentRoute: () => gated,
  path: '/edit-account' satisfies PagePath,
  component: lazyPage(() => import('./edit-account-route.tsx'), 'EditAccountRoute'),
});

const devUi = createRoute({
  getParentRoute: () => root,
  path: '/dev/ui',
  component: lazyPage(() => import('./dev-ui-route.tsx'), 'DevUiRoute'),
});

const routeTree = root.addChildren([
  home,
  legal,
  devUi,
  findTradies,
  tradie,
  gated.addChildren([becomeTradie, editTradie, editAccount, dashboard, postJob, findJobs, job, editJob, waiting]),
]);

/** A browser that cannot tell one view transition from another would have one at every page. */
const canName = typeof CSS !== 'undefined' && CSS.supports('selector(:active-view-transition-type(a))');

/** Only a job that opens from its card moves. */
function opensFromCard({ toLocation }: { readonly toLocation: { readonly pathname: string } }): string[] | false {
  const isFromCard = document.querySelector('[data-opened]') !== null;
  return isFromCard && toLocation.pathname.startsWith('/job/') && mayMove() ? ['opens'] : false;
}

/**
 * One app instance's router. `history`: the browser's own unless a test brings one. `standsAlready`: the first page is
 * in the document, and keeps the place to which it was scrolled.
 */
export function createAppRouter(history?: RouterHistory, { standsAlready = false } = {}) {
  let isStanding = standsAlready;
  const takesItsPlace = () => {
    const is = !isStanding;
    isStanding = false;
    return is;
  };
  const router = createRouter({
    routeTree,
    parseSearch,
    stringifySearch,
    scrollRestoration: takesItsPlace,
    defaultPreload: 'intent',
    defaultErrorComponent: BrokenPage,
    ...(canName && { defaultViewTransition: { types: opensFromCard } }),
    ...(history === undefined ? {} : { history }),
  });
  // A page of the list without a route in the tree does not compile.
  return router satisfies { routesByPath: Record<PagePath, AnyRoute> };
}
