import type { Page } from '@playwright/test';

/** A finger pulls the page down from its top, far enough to look again, and lets go. */
export async function pullDown(page: Page): Promise<void> {
  const finger = await page.context().newCDPSession(page);
  // What hears the finger comes after the page.
  await page.locator('[data-pull]').waitFor({ state: 'attached' });
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...ys: number[]) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: ys.map((y) => ({ x: 200, y })) });
  await touch('touchStart', 150);
  for (let y = 160; y <= 320; y += 10) await touch('touchMove', y);
  await page.getByText('Let go to look again').waitFor();
  await touch('touchEnd');
}
