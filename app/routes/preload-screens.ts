import type { createAppRouter } from './router.tsx';

type AppRouter = ReturnType<typeof createAppRouter>;

/** Fetches the code of every screen while the page is idle, so that a tap never waits for signal to show a page. */
export async function preloadScreens(router: AppRouter): Promise<void> {
  try {
    await import('../features/account/sign-in-dialog.tsx');
    await import('../features/frame/member-frame.tsx');
    await import('../features/frame/not-found-page.tsx');
    // The service worker does not keep it: a tab whose version the server no longer has must still be able to renew a
    // session.
    await import('@supabase/auth-js');
    await import('../features/frame/user-menu.tsx');
    await import('../features/frame/log-out-dialog.tsx');
    await import('../features/frame/link-dialog.tsx');
    for (const route of Object.values(router.routesById)) await router.loadRouteChunk(route);
  } catch {
    // No signal now: the screen is fetched when it is asked for, or comes from the service worker.
  }
}
