import { chromium } from '@playwright/test';
import { openServer } from '../../e2e/open-server.ts';
import { demo, signIn } from '../../e2e/person.ts';
import { launchOptions } from '../../scripts/find-chromium.ts';
import { measure } from '../frame/measure.ts';
import type { Workload } from '../frame/workload.ts';
import { freeLink, oneBar, openSlowLink, type SlowLink } from '../world/open-slow-link.ts';

interface Installed {
  /** From opening the address to the dashboard. */
  signedInMs: number;
  /** From the dashboard until the worker answers for the page, with all code. */
  installedMs: number;
  bytes: number;
}

/** A new browser on one bar, whose person signs in at once. */
async function install(link: SlowLink): Promise<Installed> {
  const browser = await chromium.launch(launchOptions());
  try {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    link.bytesDownSinceLast();
    link.become(oneBar);
    const begun = performance.now();
    await page.goto(link.url);
    await signIn(page, demo('tradie'));
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    const signedIn = performance.now();
    await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated', undefined, {
      polling: 20,
      timeout: 300_000,
    });
    return {
      signedInMs: signedIn - begun,
      installedMs: performance.now() - signedIn,
      bytes: link.bytesDownSinceLast(),
    };
  } finally {
    link.become(freeLink);
    await browser.close();
  }
}

export const installation: Workload = {
  ids: ['B23'],
  run: async (fixture) => {
    const line = await openSlowLink();
    const server = await openServer({ PUBLIC_URL: line.url, LOG_LEVEL: 'warn' });
    try {
      line.leadTo(server.url);
      const taken: Installed[] = [];
      for (let run = 0; run < fixture.runs; run += 1) taken.push(await install(line));
      return [
        measure({
          id: 'B23',
          name: 'At 400 kbit/s and 400 ms, a new browser: from opening `/` to the dashboard of a person who signs in',
          unit: 's',
          runs: taken.map(({ signedInMs }) => signedInMs / 1_000),
        }),
        measure({
          id: 'B23',
          name: 'From there until every screen opens without signal',
          unit: 's',
          runs: taken.map(({ installedMs }) => installedMs / 1_000),
        }),
        measure({ id: 'B23', name: 'Bytes of both', unit: 'kB', runs: taken.map(({ bytes }) => bytes / 1e3) }),
      ];
    } finally {
      await server.close();
      await line.close();
    }
  },
};
