import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { must } from '../shared/lib/must.ts';

/** What all of the browser's processes have in memory together, in MB; a part that several of them share counts once. */
export async function browserMemory(page: Page): Promise<number> {
  const browser = await must(page.context().browser(), 'the browser').newBrowserCDPSession();
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
  await browser.detach();
  const parts = await Promise.all(
    processInfo.map(async ({ id }) => {
      const rollup = await readFile(`/proc/${id}/smaps_rollup`, 'utf8').catch((error: NodeJS.ErrnoException) => {
        // It has ended meanwhile.
        if (error.code === 'ENOENT' || error.code === 'ESRCH') return '';
        throw error;
      });
      return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0);
    }),
  );
  return Math.round(parts.reduce((sum, part) => sum + part, 0) / 1_000);
}
