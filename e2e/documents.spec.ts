import {
  chromium,
  expect,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from '@playwright/test';
import { launchOptions } from '../scripts/find-chromium.ts';
import { holdTheApp } from './hold-the-app.ts';
import type { RunningServer } from './open-server.ts';
import { demo, signIn } from './person.ts';
import { test } from './shared-server.ts';
import { useContext } from './use-context.ts';

/*
 * The two documents that the server draws: a business's page, and the beginning of the directory. What a visitor has of
 * them before the app, what the app makes of them, and when it comes.
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

const inContext = (options: BrowserContextOptions, use: (context: BrowserContext) => Promise<void>) =>
  useContext(browser, options, use);

interface Listed {
  id: string;
  businessName: string;
}

async function firstListed(): Promise<Listed> {
  const [tradie] = (await (await fetch(`${server.url}/api/tradies`)).json()) as Listed[];
  if (tradie === undefined) throw new Error('no business in the demonstration');
  return tradie;
}

/** Notes every heading that is seen from now on. */
async function watchHeadings(page: Page): Promise<() => Promise<(string | undefined)[]>> {
  await page.addInitScript(() => {
    const seen = new Set<string | undefined>();
    Object.assign(window, { seen });
    const look = () => {
      if (document.readyState !== 'loading') seen.add(document.querySelector('h1')?.textContent);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  return () => page.evaluate(() => [...(window as unknown as { seen: Set<string | undefined> }).seen]);
}

/** Names of the scripts that this page has asked for, without their versions. */
function watchScripts(page: Page): string[] {
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url().replace(/.*\/|-.*/g, ''));
  });
  return scripts;
}

test('a business’s page is complete with scripts switched off [§2 /tradie/{id}]', async () => {
  const { id, businessName } = await firstListed();
  await inContext({ javaScriptEnabled: false }, async (context) => {
    const page = await context.newPage();
    await page.goto(`${server.url}/tradie/${id}`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(businessName);
    expect(await page.content()).not.toMatch(/%(content|written)%/);
    await page.getByText('Sign in to view contact information and connect with this tradie').waitFor();
    await page.getByText('Business address').waitFor();
    await page.getByRole('link', { name: 'Sign In', exact: true }).click();
    await expect.poll(() => page.url()).toBe(`${server.url}/tradie/${id}?sign-in`);
    await page.getByRole('link', { name: 'Back' }).click();
    await expect.poll(() => page.url()).toBe(`${server.url}/find-tradies`);
    await page.getByRole('link', { name: businessName }).click();
    await expect.poll(() => page.url()).toBe(`${server.url}/tradie/${id}`);
  });
});

test('the directory promises nothing that scripts would have to bring where they are switched off', async () => {
  await inContext({ javaScriptEnabled: false }, async (context) => {
    const page = await context.newPage();
    await page.goto(`${server.url}/find-tradies?q=deck`);
    // Its text is none to a locator.
    await expect(page.locator('body > noscript')).toBeVisible();
    await expect(page.getByText('Fetching tradies')).toBeHidden();
    await expect(page.getByRole('status').filter({ hasText: 'Loading tradies' })).toBeHidden();
    await page.getByRole('link', { name: 'See tradies without a filter' }).click();
    await expect.poll(() => page.url()).toBe(`${server.url}/find-tradies`);
    await page.getByRole('listitem').first().waitFor();
    await expect(page.getByRole('link', { name: /^(Filters|Show all )/ })).toBeHidden();
  });
});

test('a business’s page asks for one small script, and the way to its contact leads on in place', async () => {
  const { id, businessName } = await firstListed();
  await inContext({ serviceWorkers: 'block' }, async (context) => {
    const page = await context.newPage();
    const scripts = watchScripts(page);
    const headings = await watchHeadings(page);
    await page.goto(`${server.url}/tradie/${id}`, { waitUntil: 'networkidle' });
    expect(scripts).toEqual(['here']);
    await page.getByRole('link', { name: 'Sign In', exact: true }).click();
    await page.getByRole('dialog', { name: 'Log in or sign up' }).waitFor();
    expect(await headings()).toEqual([businessName]);
    await expect.poll(() => page.url()).toBe(`${server.url}/tradie/${id}`);
  });
});

test('a business’s page can be shared, and left by the way one came, before the app is there', async () => {
  const { id, businessName } = await firstListed();
  await inContext({ serviceWorkers: 'block' }, async (context) => {
    const page = await context.newPage();
    const scripts = watchScripts(page);
    await page.goto(`${server.url}/legal`);
    await page.goto(`${server.url}/find-tradies`);
    await page.getByRole('link', { name: businessName }).click();
    await page.waitForURL(`**/tradie/${id}`);
    scripts.length = 0;
    const share = page.getByRole('link', { name: 'Share' });
    // A phone has it; this browser has not, and copies the link.
    await page.evaluate(() => {
      const copied: string[] = [];
      Object.assign(window, { copied });
      Object.defineProperty(navigator, 'share', { configurable: true, value: undefined });
      Object.defineProperty(navigator, 'clipboard', {
        value: { writeText: (text: string) => Promise.resolve(void copied.push(text)) },
      });
    });
    await share.click();
    await page.getByRole('status').getByText('Link copied').waitFor();
    expect(await page.evaluate(() => (window as unknown as { copied: string[] }).copied)).toEqual([
      `${server.url}/tradie/${id}`,
    ]);
    await page.evaluate(() => {
      const shared: unknown[] = [];
      Object.assign(window, { shared });
      Object.defineProperty(navigator, 'share', { value: (what: unknown) => Promise.resolve(void shared.push(what)) });
    });
    await share.click();
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { shared: unknown[] }).shared))
      .toEqual([{ title: expect.stringContaining(businessName) as unknown, url: `${server.url}/tradie/${id}` }]);
    expect(scripts).toEqual([]);
    const before = await page.evaluate(() => history.length);
    await page.getByRole('link', { name: 'Back' }).click();
    await page.waitForURL('**/find-tradies');
    expect(await page.evaluate(() => history.length)).toBe(before);
  });
});

test('the directory stands on a phone before any script, and the app comes with its first use, without a step back', async () => {
  const { businessName } = await firstListed();
  await inContext({ javaScriptEnabled: false }, async (context) => {
    const page = await context.newPage();
    await page.goto(`${server.url}/find-tradies`);
    await page.getByRole('article').getByRole('link', { name: businessName }).waitFor();
  });
  await inContext({ serviceWorkers: 'block', hasTouch: true, isMobile: true }, async (context) => {
    const page = await context.newPage();
    const calls: string[] = [];
    page.on('request', (request) => void (request.url().includes('/api/') && calls.push(request.url())));
    const headings = await watchHeadings(page);
    const release = await holdTheApp(page);
    await page.goto(`${server.url}/find-tradies`);
    const cards = page.getByRole('article');
    const shown = await cards.allInnerTexts();
    expect([shown.length > 0, calls]).toEqual([true, []]);
    const places = () => cards.evaluateAll((all) => all.map((card) => Math.round(card.getBoundingClientRect().top)));
    const before = await places();
    await page.evaluate(() => {
      const least = { cards: Infinity };
      Object.assign(window, { least });
      const look = () => {
        least.cards = Math.min(least.cards, document.querySelectorAll('article').length);
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await page.getByRole('link', { name: 'Filters' }).tap();
    await page.getByText('Opening…').waitFor();
    await release();
    await page.getByLabel('Business name').waitFor();
    await expect(page.getByText('Opening…')).toBeHidden();
    await page.getByRole('button', { name: 'Filters', exact: true }).tap();
    await page.getByText(/^Updated /).waitFor();
    expect(await cards.allInnerTexts()).toEqual(shown);
    expect(await places()).toEqual(before);
    expect(await page.evaluate(() => (window as unknown as { least: { cards: number } }).least.cards)).toBe(
      shown.length,
    );
    expect(await headings()).toEqual(['Find Tradies']);
  });
});

test('an address that narrows the directory shows what it leaves, and not first what it does not', () =>
  inContext({ serviceWorkers: 'block' }, async (context) => {
    const { businessName } = await firstListed();
    const page = await context.newPage();
    await page.addInitScript(() => {
      const seen = new Set<string | undefined>();
      Object.assign(window, { names: seen });
      const look = () => {
        for (const link of document.querySelectorAll('article a')) seen.add(link.textContent);
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await page.goto(`${server.url}/find-tradies?q=${encodeURIComponent(businessName)}`);
    await page.getByRole('article').waitFor();
    expect(await page.evaluate(() => [...(window as unknown as { names: Set<string> }).names])).toEqual([businessName]);
  }));

test('a signed-in person sees a business’s ways to be reached, and no word of signing in before', async () => {
  const { id } = await firstListed();
  await inContext({ serviceWorkers: 'block' }, async (context) => {
    const page = await context.newPage();
    await page.goto(server.url);
    await signIn(page, demo('homeowner'));
    await page.addInitScript(() => {
      const seen = new Set<string>();
      Object.assign(window, { seen });
      const look = () => {
        for (const link of document.querySelectorAll('a'))
          if (link.textContent === 'Sign In' && link.checkVisibility({ visibilityProperty: true })) seen.add('sign in');
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await page.goto(`${server.url}/tradie/${id}`);
    await page.getByRole('link', { name: /^Email / }).waitFor();
    expect(await page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen])).toEqual([]);
  });
});
