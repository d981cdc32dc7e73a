import type { Page } from '@playwright/test';

/** Holds back every script but the one of the document, or those named, until what comes back is called. */
export async function holdTheApp(page: Page, held = /\/assets\/(?!here-)[^/]+\.js$/): Promise<() => Promise<void>> {
  let release = () => undefined as void;
  const isReleased = new Promise<void>((resolve) => {
    release = () => resolve();
  });
  await page.route(held, async (route) => {
    await isReleased;
    await route.continue();
  });
  return async () => {
    release();
    await page.unrouteAll({ behavior: 'wait' });
  };
}
