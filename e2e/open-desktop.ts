import type { Browser, BrowserContext, Page } from '@playwright/test';
import { recordSpeech } from './keyboard.ts';
import { timeoutMs } from './timeout-ms.ts';

/**
 * The app in a desktop-sized window, for a person without a mouse: announcements are recorded (`spokenIn`). `width` in
 * CSS px.
 */
export async function openDesktop(browser: Browser, url: string, width = 1_024): Promise<Page> {
  const context: BrowserContext = await browser.newContext({
    viewport: { width, height: 700 },
    locale: 'en-NZ',
    timezoneId: 'Pacific/Auckland',
    reducedMotion: 'reduce',
  });
  await context.addInitScript(recordSpeech);
  context.setDefaultTimeout(timeoutMs);
  const page = await context.newPage();
  await page.goto(url);
  return page;
}
