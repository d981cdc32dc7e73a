import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type BrowserContext, type LaunchOptions, type Page } from '@playwright/test';
import { launchOptions } from '../scripts/find-chromium.ts';
import { repairBrowserLog, corruptBrowserLog } from './browser-log.ts';
import type { Tab } from './engines/tab.ts';
import { foldersOfRun } from './folders-of-run.ts';
import { timeoutMs } from './timeout-ms.ts';

/** One person's phone: a browser profile on disk that outlives the browser. */
export interface Device<Shown extends Tab = Page> {
  /** The open page. Throws while the browser is closed. */
  page(): Shown;
  /** The folder in which the browser keeps what outlives it. */
  readonly profile: string;
  setSignal(isOn: boolean): Promise<void>;
  /** The browser deletes all that the site has stored, under the open page. */
  clearStorage(): Promise<void>;
  /** Opens one more tab at `path`, or at a whole address. */
  newTab(path: string): Promise<Shown>;
  /** Closes the tab and opens a new one at `path`. */
  reopenTab(path: string): Promise<Shown>;
  /**
   * SIGKILL: what a phone does to an app it wants gone. `torn`: in the middle of writing a record of its storage, after
   * which this browser deletes the storage at the start after next; in Firefox and WebKit, of its Cache Storage, which
   * it cannot read any more. Otherwise never there, or a kill now and then would test the browser and not the app.
   */
  kill(where?: 'torn'): Promise<void>;
  /** Starts the browser again on the same profile; signal stays as it was. */
  start(path: string): Promise<Shown>;
  close(): Promise<void>;
}

/** The browser's own process first: its children go with it, and are killed all the same. */
async function processesOf(context: BrowserContext): Promise<number[]> {
  const browser = context.browser();
  if (browser === null) throw new Error('A browser that does not tell its processes.');
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return processInfo
    .toSorted((one, other) => Number(other.type === 'browser') - Number(one.type === 'browser'))
    .map(({ id }) => id);
}

function killIfThere(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const phone = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  locale: 'en-NZ',
  timezoneId: 'Pacific/Auckland',
};

export async function openDevice(
  origin: string,
  path = '/',
  hear?: (text: string) => void,
  launch: LaunchOptions = launchOptions(),
): Promise<Device> {
  const profile = await mkdtemp(join(foldersOfRun(), 'dwang-phone-'));
  let context: BrowserContext | undefined;
  let current: Page | undefined;
  let hasSignal = true;

  const start = async (at: string) => {
    context = await chromium.launchPersistentContext(profile, {
      ...phone,
      ...launch,
    });
    context.setDefaultTimeout(timeoutMs);
    await context.setOffline(!hasSignal);
    if (hear !== undefined) await context.exposeFunction('tellTest', hear);
    current = context.pages()[0] ?? (await context.newPage());
    await current.goto(`${origin}${at}`);
    return current;
  };

  const mustBeOpen = () => {
    if (context === undefined || current === undefined) throw new Error('The browser is closed.');
    return { context, page: current };
  };

  const newTab = async (at: string) => {
    const tab = await mustBeOpen().context.newPage();
    await tab.goto(at.startsWith('http') ? at : `${origin}${at}`);
    return tab;
  };

  await start(path);
  return {
    profile,
    page: () => mustBeOpen().page,
    start,
    setSignal: async (isOn) => {
      hasSignal = isOn;
      await mustBeOpen().context.setOffline(!isOn);
    },
    clearStorage: async () => {
      const { context: open, page } = mustBeOpen();
      const session = await open.newCDPSession(page);
      await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
      await session.detach();
    },
    newTab,
    reopenTab: async (at) => {
      const { page } = mustBeOpen();
      const next = await newTab(at);
      await page.close();
      current = next;
      return next;
    },
    kill: async (where) => {
      const { context: open } = mustBeOpen();
      const closed = new Promise<void>((resolve) => open.once('close', () => resolve()));
      const processes = await processesOf(open);
      context = undefined;
      current = undefined;
      processes.forEach(killIfThere);
      await closed;
      if (where === 'torn') corruptBrowserLog(profile);
      else repairBrowserLog(profile);
    },
    close: async () => {
      await context?.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}
