import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LaunchOptions, Page } from '@playwright/test';
import { findWholeChromium, launchOptions } from '../scripts/find-chromium.ts';
import { must } from '../shared/lib/must.ts';

/**
 * Starts the browser so that none of its processes gets more than this many MB of memory of its own (RLIMIT_DATA, which
 * every child inherits): beyond it an allocation fails, as on a phone that has no more. Needs no rights and no cgroup,
 * as a limit for all processes together would. It is the browser with windows, which takes what a phone's takes.
 */
export function withMemoryLimit(memory: number): LaunchOptions {
  const { executablePath, env, ...more } = launchOptions(findWholeChromium());
  return {
    ...more,
    executablePath: join(import.meta.dirname, 'with-memory-limit.sh'),
    // In whole mebibytes: Chromium, which sizes its own reserves by this limit, does not start where they are no whole
    // pages.
    env: {
      ...env,
      LIMITED_BROWSER: executablePath,
      LIMITED_KIB: String(Math.floor((memory * 1_000_000) / 2 ** 20) * 1_024),
    },
  };
}

/** How many MB of its own each of the browser's processes may have; NaN where nothing limits it. */
export async function memoryLimits(page: Page): Promise<number[]> {
  return (await readOfEach(page, 'limits')).map((limits) =>
    Math.round(Number(/^Max data size\s+(\d+)/m.exec(limits)?.[1]) / 1_000_000),
  );
}

/**
 * At least the most, in MB, that the browser's processes had in memory together since it was started: the sum of what
 * each had at its own peak, in which a part that several of them share counts as often. A limit for all of them
 * together is not met below it.
 */
export async function browserPeak(page: Page): Promise<number> {
  const peaks = (await readOfEach(page, 'status')).map((status) =>
    Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0),
  );
  return Math.round(peaks.reduce((sum, peak) => sum + peak, 0) / 1_000);
}

/** This file of each of the browser's processes, but for those that have ended meanwhile. */
async function readOfEach(page: Page, file: 'limits' | 'status'): Promise<string[]> {
  const browser = await must(page.context().browser(), 'the browser').newBrowserCDPSession();
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
  await browser.detach();
  const texts = await Promise.all(
    processInfo.map(({ id }) =>
      readFile(`/proc/${id}/${file}`, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'ESRCH') return '';
        throw error;
      }),
    ),
  );
  return texts.filter((text) => text !== '');
}
