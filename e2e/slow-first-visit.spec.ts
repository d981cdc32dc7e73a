import { chromium, expect, type Browser } from '@playwright/test';
import { launchOptions } from '../scripts/find-chromium.ts';
import { axeFinds } from './visual/examine.ts';
import { holdTheApp } from './hold-the-app.ts';
import { long } from './test-options.ts';
import type { RunningServer } from './open-server.ts';
import { test } from './shared-server.ts';

/*
 * A first visit on a slow line, with nothing cached: a tap on the landing page is felt at once, and leads on when what
 * it needs has come. The line is the browser's own throttle, each visitor's by itself, so that they wait side by side.
 * So it is within the app.
 */

let server: RunningServer;
let browser: Browser;

test.beforeAll(async ({ shareServer }) => {
  server = await shareServer();
  browser = await chromium.launch(launchOptions());
});
test.afterAll(async () => {
  await browser?.close();
});

async function expectTapToLead(name: string, kbitPerSecond: number, path = '/'): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  try {
    const page = await context.newPage();
    const bytesPerSecond = (kbitPerSecond * 1_000) / 8;
    const line = { offline: false, latency: 400, downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond };
    await (await context.newCDPSession(page)).send('Network.emulateNetworkConditions', line);
    // No later than it is there to be tapped.
    await page.goto(server.url + path, { waitUntil: 'commit' });
    const link = page.getByRole('link', { name }).first();
    await link.tap();
    await expect(link).toHaveAttribute('aria-busy', 'true');
    await expect(page.getByText('Opening…')).toBeVisible();
    // Its words stay legible for as long as it takes.
    expect(await axeFinds(page, 'colours')).toEqual([]);
    await expect(page.getByRole('dialog', { name: 'Log in or sign up' })).toBeVisible({ timeout: 180_000 });
  } finally {
    await context.close();
  }
}

test('a tap on a slow first visit is felt at once and never lost', long, async () => {
  const slowest = expectTapToLead('Join as a Tradie', 50);
  // One after the other beside it: five pages at once on a slow machine are there to be tapped when the app is as well.
  const others = async () => {
    for (const name of ['Post a Job (Free)', 'Join as a Tradie', 'Login / Sign Up']) await expectTapToLead(name, 400);
  };
  await Promise.all([slowest, others()]);
});

test(
  'the way to sign in is there, and felt, on a slow first visit straight to any page that a stranger finds',
  long,
  async () => {
    const [tradie] = (await (await fetch(`${server.url}/api/tradies`)).json()) as { id: string }[];
    if (tradie === undefined) throw new Error('no business in the demonstration');
    const slowest = expectTapToLead('Login / Sign Up', 50, '/find-tradies');
    const others = async () => {
      for (const path of ['/find-tradies', `/tradie/${tradie.id}`, '/legal', '/dashboard'])
        await expectTapToLead('Login / Sign Up', 400, path);
    };
    await Promise.all([slowest, others()]);
  },
);

for (const [path, details] of [
  ['/tradie/{id}', {}],
  ['/find-tradies?sort=z-a', long],
  ['/job/unknown', long],
  ['/dashboard', long],
] as const)
  test(
    `a tap on “Login / Sign Up” on a first visit straight to ${path} leads to the dialog, at whatever moment it comes`,
    details,
    async () => {
      const context = await browser.newContext({ viewport: { width: 390, height: 844 }, serviceWorkers: 'block' });
      try {
        const [tradie] = (await (await fetch(`${server.url}/api/tradies`)).json()) as { id: string }[];
        const address = server.url + path.replace('{id}', String(tradie?.id));
        for (const held of [/\/assets\/(?!here-)[^/]+\.js$/, /\/assets\/create-app-[^/]+\.js$/]) {
          const page = await context.newPage();
          const release = await holdTheApp(page, held);
          await page.goto(address, { waitUntil: 'commit' });
          const link = page.getByRole('link', { name: 'Login / Sign Up' });
          await link.click();
          expect(await link.getAttribute('aria-busy')).toBe('true');
          expect(await page.getByText('Opening…').isVisible()).toBe(true);
          await release();
          const dialog = page.getByRole('dialog', { name: 'Log in or sign up' });
          await dialog.waitFor();
          await expect.poll(() => page.url()).toBe(address);
          await dialog.getByRole('button', { name: 'Close' }).click();
          await dialog.waitFor({ state: 'detached' });
          await page.close();
        }
      } finally {
        await context.close();
      }
    },
  );

test('a page whose code does not come at once, or fails at first, says within the app that it is opening, until it is there', async () => {
  // Without the worker, which would have the page's code a moment later.
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, serviceWorkers: 'block' });
  try {
    const page = await context.newPage();
    const { promise: isLetThrough, resolve: letThrough } = Promise.withResolvers<void>();
    let asked = 0;
    await page.route('**/assets/tradie-route-*.js', async (route) => {
      asked += 1;
      if (asked === 1) return route.abort();
      await isLetThrough;
      return route.continue();
    });
    // The document of the whole directory is without the app until it is used.
    await page.goto(`${server.url}/find-tradies?sort=a-z`);
    await page.locator('main article').first().waitFor();
    const opening = page.getByText('Opening…');
    await expect(opening).toBeHidden();
    // The app is there, and idle: it fetches its pages. Until then a tap opens the document that the server draws.
    await expect.poll(() => asked).toBe(2);
    await page.locator('main article a').first().click();
    await expect(opening).toBeVisible();
    letThrough();
    await page.waitForURL('**/tradie/*');
    await expect(opening).toBeHidden();
  } finally {
    await context.close();
  }
});

interface Source {
  readonly url: string;
  readonly text: string;
  readonly type: string | null;
}

/** Runs in the page: the scripts and style sheets in the worker's cache. */
async function cachedSources(): Promise<Source[]> {
  const name = (await caches.keys()).find((one) => one.includes('precache'));
  const cache = await caches.open(name ?? 'none');
  const sources = (await cache.keys()).filter(({ url }) => /\.(js|css)$/.test(url));
  return Promise.all(
    sources.map(async (request) => {
      const kept = await cache.match(request);
      return { url: request.url, text: (await kept?.text()) ?? '', type: kept?.headers.get('content-type') ?? null };
    }),
  );
}

/** Asked for by the test: in the page the worker itself would answer. */
async function isAsServed({ url, text, type }: Source): Promise<boolean> {
  const served = await fetch(url);
  const typeOf = (header: string | null) => header?.split(';')[0];
  return (await served.text()) === text && typeOf(served.headers.get('content-type')) === typeOf(type);
}

for (const [how, isLost, [least, most]] of [
  ['in two dozen requests instead of two hundred', false, [10, 30]],
  ['file by file, where the bundle of small ones does not come', true, [150, 250]],
] as const)
  test(`all code is on the phone after the first visit, ${how}`, isLost ? long : {}, async () => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    try {
      const asked: string[] = [];
      context.on('request', (request) => {
        if (request.serviceWorker() !== null) asked.push(new URL(request.url()).pathname);
      });
      if (isLost) await context.route(/\/assets\/precache-/, (route) => route.abort());
      const page = await context.newPage();
      await page.goto(`${server.url}/dashboard`);
      await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');
      expect(asked.filter((path) => path.startsWith('/assets/precache-'))).toHaveLength(1);
      const sources = await page.evaluate(cachedSources);
      expect(sources.length).toBeGreaterThan(150);
      const isRight = await Promise.all(sources.map(isAsServed));
      expect(sources.filter((_, at) => isRight[at] !== true).map(({ url }) => url)).toEqual([]);
      expect(asked.length).toBeGreaterThan(least);
      expect(asked.length).toBeLessThan(most);
    } finally {
      await context.close();
    }
  });

/** Runs in the page: how high the header is, and whether the name "Dwang" is seen in it. */
function headerNow(): { height: number; isNamed: boolean } {
  const bar = document.querySelector('header')!.getBoundingClientRect();
  const logo = document.querySelector('header a')!.getBoundingClientRect();
  const words = document.createTreeWalker(document.querySelector('header a')!, NodeFilter.SHOW_TEXT);
  const name = document.createRange();
  name.selectNodeContents(words.nextNode()!);
  const { left, right, bottom } = name.getBoundingClientRect();
  return { height: bar.height, isNamed: left >= logo.left && right <= logo.right && bottom <= bar.bottom };
}

test('the header of a first visit whose display face comes late has the name, and is as high as the next time, on each phone', async () => {
  const context = await browser.newContext({ viewport: { width: 320, height: 700 }, serviceWorkers: 'block' });
  const page = await context.newPage();
  const next = { height: 65, isNamed: true };
  const mustBeWhole = async () => {
    for (const width of [320, 360, 375, 390]) {
      await page.setViewportSize({ width, height: 700 });
      // The face may be there, and drawn with a moment later.
      await expect.poll(() => page.evaluate(headerNow), `${width} px wide`).toEqual(next);
    }
  };
  await page.route('**/*.woff2', (route) => route.abort());
  for (const path of ['/find-tradies', '/']) {
    await page.goto(server.url + path);
    await mustBeWhole();
  }
  await page.unroute('**/*.woff2');
  await page.reload();
  await expect.poll(() => page.evaluate(() => document.fonts.check('700 1rem "Barlow Semi Condensed"'))).toBe(true);
  await mustBeWhole();
  await context.close();
});
