import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBrowser, openDevice, type Device } from './open-device.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { patience } from './patience.ts';
import { demo, signIn, untilInstalled } from './person.ts';

/*
 * What shows before any script has run, what hydrates it, and what the service worker serves for each page.
 */

let server: RunningServer;
let browser: Browser;

beforeAll(async () => {
  server = await openServer();
  browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox', '--disable-gpu'] });
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

async function inContext(
  options: Parameters<Browser['newContext']>[0],
  use: (context: BrowserContext) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options });
  context.setDefaultTimeout(patience);
  try {
    await use(context);
  } finally {
    await context.close();
  }
}

test.each([
  ['/', 'Connecting Homeowners & Tradies Across NZ', 'Tradie pricing'],
  ['/legal', 'Terms of use and Privacy policy', 'Privacy Policy'],
])('%s is complete with scripts switched off, styles and all', (path, heading, later) =>
  inContext({ javaScriptEnabled: false }, async (context) => {
    const page = await context.newPage();
    await page.goto(server.url + path);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(heading);
    expect(await page.getByRole('heading', { name: later, exact: true }).isVisible()).toBe(true);
    expect(await page.getByRole('link', { name: 'Find Tradies' }).isVisible()).toBe(true);
    // The bar of theme.css, in its light colours; a page without its styles has none.
    const bar = page.locator('header').first();
    expect(await bar.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe('rgb(18, 32, 25)');
  }),
);

test.each(['/', '/legal'])(
  '%s is hydrated as it stands: nothing is rendered anew, there is no error, and presses are answered',
  (path) =>
    inContext({}, async (context) => {
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
      page.on('pageerror', (error) => void complaints.push(error.message));
      // The written heading is marked before the first module runs; a new rendering loses the mark.
      await page.addInitScript(() => {
        document.addEventListener('readystatechange', () => {
          if (document.readyState === 'interactive') document.querySelector('h1')?.setAttribute('data-written', '');
        });
      });
      await page.goto(server.url + path);
      await page.getByRole('button', { name: 'Login / Sign Up' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await page.locator('h1[data-written]').count()).toBe(1);
      expect(complaints).toEqual([]);
    }),
);

test.each(['/find-tradies', '/tradie/{id}'])(
  '%s says what it is before any script runs, and from then on never less',
  async (template) => {
    const tradies = (await (await fetch(`${server.url}/api/tradies`)).json()) as { id: string; businessName: string }[];
    const [tradie] = tradies;
    if (tradie === undefined) throw new Error('no business in the demonstration');
    const path = template.replace('{id}', tradie.id);
    const heading = template === '/find-tradies' ? 'Find Tradies' : tradie.businessName;
    await inContext({ javaScriptEnabled: false }, async (context) => {
      const page = await context.newPage();
      await page.goto(server.url + path);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(heading);
      expect(await page.content()).not.toMatch(/%(name|place|about|written)%/);
    });
    await inContext({}, async (context) => {
      const page = await context.newPage();
      await page.addInitScript(() => {
        const seen = new Set<string | undefined>();
        Object.assign(window, { seen });
        const look = () => {
          if (document.readyState !== 'loading') seen.add(document.querySelector('h1')?.textContent);
          requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      });
      await page.goto(server.url + path);
      // What the app alone renders.
      await (
        template === '/find-tradies'
          ? page.getByRole('listitem').first()
          : page.getByText('Sign in to view contact information')
      ).waitFor();
      expect(await page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen])).toEqual([heading]);
    });
  },
);

test('without signal each page opens from its own document, and the landing page is in none but its own', async () => {
  const phone: Device = await openDevice(server.url);
  try {
    await signIn(phone.page(), demo('tradie'));
    await untilInstalled(phone);
    await phone.setSignal(false);
    for (const [path, hasLanding] of [
      ['/find-jobs', false],
      ['/', true],
      ['/legal', false],
      ['/tradie/unknown', false],
    ] as const) {
      const answer = await phone.page().goto(server.url + path);
      expect([path, answer?.fromServiceWorker()]).toEqual([path, true]);
      expect([path, (await answer?.text())?.includes('Why homeowners love us')]).toEqual([path, hasLanding]);
    }
  } finally {
    await phone.close();
  }
});

test('a signed-in person never sees the way to sign in, from the first paint on', async () => {
  const phone = await openDevice(server.url);
  try {
    await signIn(phone.page(), demo('tradie'));
    const page = phone.page();
    // Every state the header is in, from before the first paint.
    await page.addInitScript(() => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      const look = () => {
        const button = [...document.querySelectorAll('header button')].find(
          (one) => one.textContent === 'Login / Sign Up',
        );
        if (button?.checkVisibility({ visibilityProperty: true }) === true) seen.push('sign in');
        if (document.querySelector('header a[href="/dashboard"]') !== null && seen.at(-1) !== 'dashboard')
          seen.push('dashboard');
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await page.goto(`${server.url}/`);
    await page.getByRole('link', { name: 'Dashboard' }).waitFor();
    await page.waitForFunction(() => (window as unknown as { seen: string[] }).seen.length > 0);
    expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual(['dashboard']);
  } finally {
    await phone.close();
  }
});
