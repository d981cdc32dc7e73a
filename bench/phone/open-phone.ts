import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type CDPSession, type Page } from '@playwright/test';
import { launchOptions } from '../../scripts/find-chromium.ts';
import type { Account } from '../world/open-world.ts';
import { watchPage } from './watch-page.ts';

/**
 * A browser profile on disk in which one person has signed in and the app's shell is cached; workloads add the rest.
 */
export interface Phone {
  readonly url: string;
  readonly account: Account;
  /** Starts the browser, with one empty tab. */
  start(): Promise<RunningPhone>;
  /** Stops the browser, if it runs, and deletes the profile. */
  close(): Promise<void>;
}

export interface RunningPhone {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly url: string;
  setSignal(isOn: boolean): Promise<void>;
  /** How many times slower the page's own thread is. */
  slowDown(times: number): Promise<void>;
  /** Back to a phone that has the shell and the session, and nothing else. Leaves the app. */
  forget(): Promise<void>;
  /** Opens `path` and waits until the feed, the directory and the lists are complete. */
  load(path: string): Promise<void>;
  stop(): Promise<void>;
}

const screen = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  locale: 'en-NZ',
  timezoneId: 'Pacific/Auckland',
};
const switches = [
  // Two phones on one screen: the one behind counts as visible too.
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-background-timer-throttling',
  '--enable-precise-memory-info',
];
/** Of the product's origin, but no page of the app: from here its databases can be deleted. */
export const outside = '/robots.txt';

/** `prepare` signs the person in: in the app, where nothing else is said. */
export async function openPhone(
  url: string,
  account: Account,
  prepare: (first: RunningPhone, account: Account) => Promise<void> = signIn,
): Promise<Phone> {
  const profile = await mkdtemp(join(tmpdir(), 'dwang-bench-phone-'));
  let running: RunningPhone | undefined;
  const phone: Phone = {
    url,
    account,
    start: async () => {
      running = await startPhone(profile, url, account, () => (running = undefined));
      return running;
    },
    close: async () => {
      await running?.stop();
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
  const first = await phone.start();
  await prepare(first, account);
  await first.forget();
  await first.stop();
  return phone;
}

/** Starts the browser on a profile. `onStop`: called when it is to stop. */
async function startPhone(profile: string, url: string, account: Account, onStop: () => void): Promise<RunningPhone> {
  const browser = launchOptions();
  const context = await chromium.launchPersistentContext(profile, {
    ...screen,
    ...browser,
    args: [...browser.args, ...switches],
  });
  await context.addInitScript(watchPage);
  const page = context.pages()[0] ?? (await context.newPage());
  const cdp = await context.newCDPSession(page);
  const phone: RunningPhone = {
    context,
    page,
    cdp,
    url,
    setSignal: (isOn) => context.setOffline(!isOn),
    slowDown: async (rate) => void (await cdp.send('Emulation.setCPUThrottlingRate', { rate })),
    forget: async () => {
      await page.goto(`${url}${outside}`);
      await page.evaluate(forgetInPage, account.userId);
      await cdp.send('Network.clearBrowserCache');
    },
    load: async (path) => {
      await page.goto(`${url}${path}`);
      await untilWhole(page);
    },
    stop: async () => {
      onStop();
      await context.close();
    },
  };
  return phone;
}

/**
 * Milliseconds of the page at which the lists, the directory and the feed (a homeowner has none) were complete and in
 * memory.
 */
export function untilWhole(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const { bench } = window;
    await bench.until(() => bench.isSignedIn());
    const collections = [bench.app().reference, bench.app().directory, bench.context().feed];
    await Promise.all(
      collections.map(
        (collection, at) =>
          new Promise<void>((resolve) => {
            const look = () => {
              const { status } = collection.current();
              if (status === 'ready' || (at === 2 && status === 'hidden')) resolve();
            };
            // The directory is not read before a page shows it.
            collection.subscribe(look);
            look();
          }),
      ),
    );
    return performance.now();
  });
}

async function signIn({ page, url }: RunningPhone, { email, password }: Account): Promise<void> {
  // Not `/`, which is complete without the app.
  await page.goto(`${url}/dashboard`);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.waitForFunction(() => window.bench.isThere());
  await page.evaluate(([address, secret]) => window.bench.app().auth.signIn(address, secret), [
    email,
    password,
  ] as const);
  await page.waitForFunction(() => window.bench.app().authState.current().kind === 'signed-in');
}

async function forgetInPage(userId: string): Promise<void> {
  const done = (request: IDBRequest | IDBTransaction, event: 'success' | 'complete') =>
    new Promise<void>((resolve, reject) => {
      request.addEventListener(event, () => resolve());
      request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB')));
    });
  for (const name of [`dwang-${userId}`, 'dwang-public']) await done(indexedDB.deleteDatabase(name), 'success');
  const opening = indexedDB.open('dwang-device');
  await done(opening, 'success');
  const transaction = opening.result.transaction('entries', 'readwrite');
  transaction.objectStore('entries').delete(`mark:${userId}`);
  await done(transaction, 'complete');
  opening.result.close();
}
