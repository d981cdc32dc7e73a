import type { PagePath } from '../../shared/routes.ts';
import type { createAppRouter } from './router.tsx';

type AppRouter = ReturnType<typeof createAppRouter>;

/** What is opened again and again. */
const nearby: readonly string[] = [
  '/dashboard',
  '/find-jobs',
  '/job/$id',
  '/post-job',
  '/find-tradies',
  '/tradie/$id',
  '/waiting',
] satisfies PagePath[];

/** No signal now: what was not fetched is fetched when it is asked for, or comes from the service worker. */
const unlessGone = () => undefined;

/** Fetches the code of what stands around every screen, while the page is idle. */
export async function preloadFrame(): Promise<void> {
  await import('../features/frame/member-frame.tsx').catch(unlessGone);
  await import('../features/frame/user-menu.tsx').catch(unlessGone);
  await import('../features/frame/log-out-dialog.tsx').catch(unlessGone);
  // The service worker does not keep it: a tab whose version the server no longer has must still be able to renew a
  // session.
  await import('@supabase/auth-js').catch(unlessGone);
}

/**
 * Fetches the code of screens, so that a tap need not wait for signal to show a page: of every screen, or, where the
 * service worker keeps all code (`isKept`), of those alone that most people open next. All of it takes a phone seconds
 * of work at each start.
 */
export async function preloadScreens(router: AppRouter, isKept: boolean): Promise<void> {
  try {
    if (!isKept) {
      await import('../features/account/sign-in-dialog.tsx');
      await import('../features/frame/not-found-page.tsx');
      await import('../features/frame/link-dialog.tsx');
    }
    const isWanted = (path: string) => (isKept ? nearby.includes(path) : path !== '/dev/ui');
    for (const route of Object.values(router.routesById))
      if (isWanted(route.fullPath)) await router.loadRouteChunk(route);
  } catch {
    // As above.
  }
}
