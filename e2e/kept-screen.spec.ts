import { chromium, expect, type Browser, type BrowserContext, type Locator, type Page } from '@playwright/test';
import { findChromium, launchOptions } from '../scripts/find-chromium.ts';
import { keptHere, goToAsLeft, untilKept } from './kept-here.ts';
import { long } from './test-options.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { demo, signIn } from './person.ts';
import { test } from './shared-server.ts';

/* Find Jobs as it was left, which stands there while the app starts. */

let server: RunningServer;
let browser: Browser;
/** Another test's phone, begun while this one waits: a page is kept only seconds after it has become still. */
let early: Promise<[BrowserContext, Page]> | undefined;
test.beforeAll(async () => {
  server = await openServer();
  browser = await chromium.launch(launchOptions(findChromium()));
});
test.afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** What the page showed before the app did, at the last frame. */
interface Shown {
  title: string;
  text: string;
  links: string[];
  jobs: number;
  /** What could be pressed and would not answer. */
  dead: number;
  /** From here to the top of the first card. */
  top: number | undefined;
}

/** Runs in the page from its first frame on. */
function watch(): void {
  const look = () => {
    const kept = document.querySelector<HTMLElement>('[data-kept] #kept');
    if (kept !== null && kept.childElementCount > 0) {
      const shown: Shown = {
        title: document.title,
        text: kept.innerText,
        links: [...kept.querySelectorAll('article a')].map((link) => link.getAttribute('href') ?? ''),
        jobs: kept.querySelectorAll('article').length,
        dead: kept.querySelectorAll(':is(button, input, select, textarea):enabled').length,
        top: kept.querySelector('article')?.getBoundingClientRect().top,
      };
      Object.assign(window, { shown });
    }
    requestAnimationFrame(look);
  };
  look();
}
const shownBy = (page: Page) => page.evaluate(() => (window as unknown as { shown?: Shown }).shown);

/** Addresses of the jobs in the app's own list. */
const own = (page: Page) =>
  page.locator('#root article a').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));

async function openTradie(viewport = { width: 390, height: 844 }): Promise<[BrowserContext, Page]> {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
  await context.addInitScript(watch);
  const page = await context.newPage();
  await page.goto(server.url);
  await signIn(page, demo('tradie'));
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.goto(`${server.url}/find-jobs`);
  await page.getByRole('article').first().waitFor();
  return [context, page];
}

function openEarly(): void {
  early = openTradie();
  // The test that takes it throws it.
  early.catch(() => {});
}

async function takeEarly(): Promise<[BrowserContext, Page]> {
  const opened = early ?? openTradie();
  early = undefined;
  return opened;
}

const topOf = (element: Locator) => element.evaluate((card) => card.getBoundingClientRect().top);

/** How far the third card is from the page's heading. */
const belowHeading = async (page: Locator) =>
  (await topOf(page.getByRole('article').nth(2))) - (await topOf(page.getByRole('heading', { level: 1 })));

/** As the app is opened the next time. */
async function start(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${server.url}/find-jobs`);
  await page.locator('#root').getByRole('heading', { level: 1 }).first().waitFor();
  await expect(page.locator('#kept')).toHaveCount(0);
  return page;
}

for (const [name, viewport, when] of [
  ['a phone', { width: 390, height: 844 }, {}],
  ['a desktop', { width: 1_280, height: 800 }, long],
] as const)
  test(
    `on ${name} without signal the jobs as they were left are there before the app, and stay where they are`,
    when,
    async () => {
      const [context, page] = await openTradie(viewport);
      if (when !== long) openEarly();
      await untilKept(page);
      const before = await own(page);
      await page.close();
      const next = await context.newPage();
      // An emulated loss of signal may not have reached the worker.
      await expect(async () => {
        await context.setOffline(false);
        await context.setOffline(true);
        await goToAsLeft(() => next.goto(`${server.url}/find-jobs`), next);
        await expect(next.locator('#kept')).toHaveCount(0);
        expect((await shownBy(next))?.text).toContain('Offline.');
      }).toPass();
      await next.locator('#root article').first().waitFor();
      const shown = await shownBy(next);
      expect(shown?.text).toMatch(/As of \d+ \w+, \d+:\d\d [ap]m/);
      expect(shown?.text).toMatch(/Offline\. Showing jobs from \d+ \w+, \d+:\d\d [ap]m\./);
      expect(shown?.text).not.toMatch(/Updated| ago|just now/);
      expect(shown?.title).toBe('Find Jobs · Dwang');
      expect(shown?.jobs).toBeGreaterThan(before.length);
      expect([shown?.dead, shown?.links.slice(0, before.length)]).toEqual([0, before]);
      // The line that says so takes the place of a row.
      const after = await own(next);
      expect(after).toEqual(before.slice(0, after.length));
      expect(await topOf(next.locator('#root article').first())).toBeCloseTo(shown?.top ?? Number.NaN, 0);
      await context.close();
    },
  );

test('what one has scrolled to before the app is there stays where it is, and so does the focus', long, async () => {
  const [context, page] = await openTradie();
  await untilKept(page);
  await page.close();
  const slow = await context.newPage();
  const client = await context.newCDPSession(slow);
  await client.send('Emulation.setCPUThrottlingRate', { rate: 10 });
  await goToAsLeft(async () => {
    await slow.goto(`${server.url}/find-jobs`, { waitUntil: 'commit' });
    await slow.locator('script[src]').first().waitFor({ state: 'attached' });
  }, slow);
  await slow.locator('#kept article').nth(8).waitFor();
  await slow.evaluate(() => {
    document.querySelectorAll<HTMLElement>('#kept article a')[6]?.focus();
    window.scrollBy(0, 900 - window.scrollY);
  });
  const before = await slow.evaluate(() => [window.scrollY, document.activeElement?.getAttribute('href')]);
  expect(before[0]).toBe(900);
  await expect(slow.locator('#kept')).toHaveCount(0);
  expect(await slow.evaluate(() => [window.scrollY, document.activeElement?.getAttribute('href')])).toEqual(before);
  // What the page does after that moves it no more.
  await slow.locator('#root article').nth(3).waitFor();
  expect(await slow.evaluate(() => window.scrollY)).toBe(900);
  await context.close();
});

test('loaded again, the list stands where it stood', long, async () => {
  const [context, page] = await openTradie();
  await untilKept(page);
  await page.evaluate(() => window.scrollTo(0, 1_500));
  await page.reload();
  await expect(page.locator('#kept')).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(1_500);
  await context.close();
});

test('a link of it leads on, and in a window of another width it is not shown', long, async () => {
  const [context, page] = await openTradie();
  await untilKept(page);
  const below = await belowHeading(page.locator('#root'));
  await page.close();
  // Without its scripts the page stays as it is sent.
  const still = await context.newPage();
  const client = await context.newCDPSession(still);
  await client.send('Emulation.setScriptExecutionDisabled', { value: true });
  await goToAsLeft(() => still.goto(`${server.url}/find-jobs`), still);
  // The app places rows at whole pixels.
  expect(Math.abs((await belowHeading(still.locator('#kept'))) - below)).toBeLessThan(2);
  await still.locator('#kept article a').first().click();
  await still.waitForURL(/\/job\//);
  await still.close();
  const wide = await context.newPage();
  await wide.setViewportSize({ width: 800, height: 900 });
  await wide.goto(`${server.url}/find-jobs`);
  await wide.locator('#root article').first().waitFor();
  expect(await shownBy(wide)).toBeUndefined();
  await context.close();
});

/** Runs in the page: the subscription of each person here is over. */
const endSubscription = () =>
  new Promise<void>((resolve, reject) => {
    void indexedDB.databases().then((all) => {
      const { name = '' } = all.find((one) => /^dwang-[\da-f]{8}-/.test(one.name ?? '')) ?? {};
      const opening = indexedDB.open(name);
      opening.addEventListener('error', () => reject(new Error('not opened')));
      opening.addEventListener('success', () => {
        const change = opening.result.transaction('users', 'readwrite', { durability: 'strict' });
        const asking = change.objectStore('users').openCursor();
        asking.addEventListener('success', () =>
          asking.result?.update({ ...asking.result.value, subscriptionStatus: 'canceled' }),
        );
        change.addEventListener('complete', () => {
          opening.result.close();
          resolve();
        });
      });
    });
  });

test(
  'other filters: what was kept is not what the next visit begins with, and what is searched for is never kept',
  long,
  async () => {
    const [context, page] = await openTradie({ width: 1_280, height: 800 });
    await untilKept(page);
    await page.getByRole('searchbox', { name: 'Search' }).fill('roof');
    await expect.poll(() => keptHere(page)).toEqual([]);
    await page.getByRole('searchbox', { name: 'Search' }).fill('');
    await untilKept(page);
    await context.close();
  },
);

test('it goes as soon as the subscription is known to be over, also without signal', async () => {
  const [context, page] = await takeEarly();
  openEarly();
  await untilKept(page);
  await context.setOffline(true);
  await page.evaluate(endSubscription);
  await page.close();
  const next = await start(context);
  await next.getByRole('heading', { name: 'Find Jobs' }).waitFor();
  await expect.poll(() => keptHere(next)).toEqual([]);
  await context.close();
});

test('[I13] who logs out takes it along: it is not on the device after that', async () => {
  const [context, page] = await takeEarly();
  await untilKept(page);
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Log Out' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log Out' }).click();
  await page.waitForURL(`${server.url}/`);
  expect(await keptHere(page)).toEqual([]);
  const next = await start(context);
  expect(await shownBy(next)).toBeUndefined();
  await context.close();
});
