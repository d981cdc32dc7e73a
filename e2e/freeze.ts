import type { Page } from 'playwright-core';

/**
 * Stops everything in this tab, as a phone does with one that is not looked at: no timer, no answer, no word from another tab comes
 * through until it is thawed. By the debugger, because a browser without a window does not freeze for `Page.setWebLifecycleState`.
 */
export async function freeze(page: Page): Promise<() => Promise<void>> {
  const debug = await page.context().newCDPSession(page);
  await debug.send('Debugger.enable');
  const paused = new Promise((resolve) => debug.once('Debugger.paused', resolve));
  const stopped = page.evaluate('debugger');
  await paused;
  return async () => {
    await debug.send('Debugger.resume');
    await stopped;
    await debug.detach();
  };
}
