import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from '@playwright/test';
import type { Engine } from '../scripts/find-engines.ts';
import { driveTab } from './engines/driven-tab.ts';
import type { Browser, Launch } from './engines/driver.ts';
import { startFirefox } from './engines/firefox.ts';
import { openNetworkProxy } from './engines/network-proxy.ts';
import type { Tab } from './engines/tab.ts';
import { tearCaches } from './engines/tear-caches.ts';
import { startWebkit } from './engines/webkit.ts';
import { foldersOfRun } from './folders-of-run.ts';
import { openDevice, type Device } from './open-device.ts';

const starts: Record<Engine, (launch: Launch) => Promise<Browser>> = { firefox: startFirefox, webkit: startWebkit };

/** Which engine this run of the test is for: the name of Playwright's project. */
export function engineOfRun(): 'chromium' | Engine {
  const { name } = test.info().project;
  return name === 'firefox' || name === 'webkit' ? name : 'chromium';
}

/**
 * One person's phone in the engine of this run, in words that hold for each of them. `hear` gets what its pages send by
 * `tellTest(text)`. `room`: how many bytes the site may store in Firefox and WebKit; in Chromium the open browser can
 * be told.
 */
export async function openPhone(
  origin: string,
  path = '/',
  hear = (_text: string) => {},
  room?: number,
): Promise<Device<Tab>> {
  const engine = engineOfRun();
  return engine === 'chromium'
    ? openDevice(origin, path, hear)
    : openDriven(starts[engine], { origin, path, hear, room });
}

/** A phone with Firefox, whose push service is the test's own (`mozilla-push.ts`). */
export const openFirefoxPhone = (origin: string, pushService: string): Promise<Device<Tab>> =>
  openDriven(startFirefox, { origin, path: '/', hear: () => {}, pushService });

interface Driven {
  origin: string;
  path: string;
  hear(text: string): void;
  pushService?: string;
  room?: number | undefined;
}

async function openDriven(
  launch: (launch: Launch) => Promise<Browser>,
  { origin, path, hear, pushService, room }: Driven,
): Promise<Device<Tab>> {
  const profile = await mkdtemp(join(foldersOfRun(), 'dwang-phone-'));
  const proxy = await openNetworkProxy(pushService === undefined ? undefined : new URL(pushService).host);
  let isOnline = true;
  let browser: Browser | undefined;
  let current: Tab | undefined;

  const mustBeOpen = () => {
    if (browser === undefined || current === undefined) throw new Error('The browser is closed.');
    return { browser, tab: current };
  };
  const start = async (at: string) => {
    browser = await launch({ profile, proxyPort: proxy.port, isOnline, pushService, room });
    browser.onTold(hear);
    current = driveTab(browser.firstTab, 'about:blank');
    await current.goto(`${origin}${at}`);
    return current;
  };
  const newTab = async (at: string) => {
    const tab = driveTab(await mustBeOpen().browser.openTab(), 'about:blank');
    await tab.goto(at.startsWith('http') ? at : `${origin}${at}`);
    return tab;
  };

  await start(path);
  return {
    profile,
    page: () => mustBeOpen().tab,
    start,
    newTab,
    setSignal: async (isOn) => {
      isOnline = isOn;
      proxy.setSignal(isOn);
      await mustBeOpen().browser.setOnline(isOn);
    },
    clearStorage: async () => {
      proxy.clearWithNext();
      await mustBeOpen().tab.evaluate(() => fetch('/health/live', { cache: 'no-store' }));
    },
    reopenTab: async (at) => {
      const { tab } = mustBeOpen();
      const next = await newTab(at);
      await tab.close();
      current = next;
      return next;
    },
    kill: async (where) => {
      const { browser: open } = mustBeOpen();
      browser = undefined;
      current = undefined;
      await open.kill();
      if (where === 'torn') await tearCaches(profile);
    },
    close: async () => {
      await browser?.close();
      await proxy.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}
