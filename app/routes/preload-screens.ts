import type { createAppRouter } from './router.tsx';

type AppRouter = ReturnType<typeof createAppRouter>;

/** The code of every screen, fetched while nothing else is going on, so that a tap never waits for signal to show a page. */
export async function preloadScreens(router: AppRouter): Promise<void> {
  for (const route of Object.values(router.routesById)) {
    try {
      await router.loadRouteChunk(route);
    } catch {
      // No signal now: the screen is fetched when it is asked for, or comes from the service worker.
      return;
    }
  }
}
