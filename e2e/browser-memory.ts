import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { must } from '../shared/lib/must.ts';

/**
 * At least the most, in MB, that the browser's processes had in memory together since it was started: the sum of what each had at its own
 * peak, in which a part that several of them share counts as often. A limit for all of them together is not met below it.
 */
export async function browserPeak(page: Page): Promise<number> {
  const browser = await must(page.context().browser(), 'the browser').newBrowserCDPSession();
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
  await browser.detach();
  const peaks = await Promise.all(
    processInfo.map(async ({ id }) => {
      const status = await readFile(`/proc/${id}/status`, 'utf8').catch((error: NodeJS.ErrnoException) => {
        // It has ended meanwhile.
        if (error.code === 'ENOENT' || error.code === 'ESRCH') return '';
        throw error;
      });
      return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
    }),
  );
  return Math.round(peaks.reduce((sum, peak) => sum + peak, 0) / 1_000);
}
