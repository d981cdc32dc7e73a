import type { Browser, BrowserContext, BrowserContextOptions } from '@playwright/test';
import { timeoutMs } from './timeout-ms.ts';

/** A browser of its own for as long as `use` takes, as large as a phone where nothing else is asked for. */
export async function useContext(
  browser: Browser,
  options: BrowserContextOptions,
  use: (context: BrowserContext) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options });
  context.setDefaultTimeout(timeoutMs);
  try {
    await use(context);
  } finally {
    await context.close();
  }
}
