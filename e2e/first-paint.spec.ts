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
import { openDevice, type Device } from './open-device.ts';
import type { RunningServer } from './open-server.ts';
import { demo, signIn, untilInstalled } from './person.ts';
import { test } from './shared-server.ts';
import { useContext } from './use-context.ts';

/*
 * What shows before any script has run, what takes its place, and what the service worker serves for each page.
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

for (const [path, heading, later] of [
  ['/', 'Connecting Homeowners & Tradies Across NZ', 'Tradie pricing'],
  ['/legal', 'Terms of use and Privacy policy', 'Privacy Policy'],
] as const)
  test(`${path} is complete with scripts switched off, styles and all`, () =>
    inContext({ javaScriptEnabled: false }, async (context) => {
      const page = await context.newPage();
      await page.goto(server.url + path);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(heading);
      expect(await page.getByRole('heading', { name: later, exact: true }).isVisible()).toBe(true);
      expect(await page.getByRole('link', { name: 'Find Tradies' }).isVisible()).toBe(true);
      // The bar of theme.css, in its light colours; a page without its styles has none.
      const bar = page.locator('header').first();
      expect(await bar.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe('rgb(18, 32, 25)');
    }));

test('the display face has every letter of our places, and the macron of “tī” stands free of the t', () =>
  inContext({}, async (context) => {
    const page = await context.newPage();
    await page.goto(`${server.url}/`);
    const { fromElsewhere, gap } = await page.evaluate(async () => {
      const face = '700 100px "Barlow Semi Condensed"';
      const letters = 'āēīōūĀĒĪŌŪaetrAZ09$&–’“”…·½°é';
      await document.fonts.load(face, letters);
      const pen = document.createElement('canvas').getContext('2d');
      if (pen === null) throw new Error('no canvas');
      const measure = (text: string, instead: string) => {
        pen.font = `${face}, ${instead}`;
        return pen.measureText(text);
      };
      const t = measure('t', 'serif');
      return {
        fromElsewhere: [...letters].filter(
          (letter) => measure(letter, 'serif').width !== measure(letter, 'monospace').width,
        ),
        // Both are drawn from their origin: what is right of the one, and left of the other.
        gap: t.width - t.actualBoundingBoxRight - measure('ī', 'serif').actualBoundingBoxLeft,
      };
    });
    expect(fromElsewhere).toEqual([]);
    expect(gap).toBeGreaterThan(3);
  }));

test('businesses of the directory and jobs of the week stand on /, without scripts, and stay when the app takes it over', async () => {
  const proofOf = (page: Page) => page.locator('[data-proof]').innerText();
  let before = '';
  await inContext({ javaScriptEnabled: false }, async (context) => {
    const page = await context.newPage();
    await page.goto(server.url);
    before = await proofOf(page);
    expect(before).toContain('Posted this week');
    const [tradie] = (await (await fetch(`${server.url}/api/tradies`)).json()) as { businessName: string }[];
    expect(before).toContain(tradie?.businessName ?? 'no business in the demonstration');
  });
  await inContext({ serviceWorkers: 'block' }, async (context) => {
    const page = await context.newPage();
    await page.goto(`${server.url}/?sign-in`);
    const dialog = page.getByRole('dialog', { name: 'Log in or sign up' });
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await proofOf(page)).toBe(before);
  });
});

/** The controls of a visitor: all lead to the sign-in dialog. */
const ways = {
  'Login / Sign Up': '?sign-in',
  'Post a Job (Free)': '?sign-in=post-job',
  'Join as a Tradie': '?sign-in=become-tradie',
};
const controls = Object.keys(ways);

for (const path of ['/', '/legal', '/find-tradies', '/tradie/unknown', '/job/unknown', '/dashboard'])
  test(`the way to sign in on ${path} is a link, with scripts switched off too`, () =>
    inContext({ javaScriptEnabled: false }, async (context) => {
      const page = await context.newPage();
      await page.goto(server.url + path);
      for (const [name, query] of Object.entries(ways).slice(0, path === '/' ? 3 : 1)) {
        await page.goto(server.url + path);
        await page.getByRole('link', { name }).first().click();
        await expect.poll(() => page.url()).toBe(`${server.url}${path}${query}`);
      }
    }));

for (const path of ['/', '/legal'])
  test(`${path} asks for one small script, and for no other before a tap`, () =>
    inContext({ serviceWorkers: 'block' }, async (context) => {
      const page = await context.newPage();
      const scripts: string[] = [];
      const complaints: string[] = [];
      page.on('request', (request) => void (request.resourceType() === 'script' && scripts.push(request.url())));
      page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
      await page.goto(server.url + path, { waitUntil: 'networkidle' });
      expect(scripts.map((url) => url.replace(/.*\/|-.*/g, ''))).toEqual(['here']);
      expect(complaints).toEqual([]);
    }));

for (const [path, name] of [
  ...controls.map((control) => ['/', control] as const),
  ['/legal', 'Login / Sign Up'] as const,
])
  test(`a tap on ${path} “${name}” before the app is there is felt at once and leads on, in place [§2 /]`, () =>
    inContext({ serviceWorkers: 'block' }, async (context) => {
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
      page.on('pageerror', (error) => void complaints.push(error.message));
      const release = await holdTheApp(page);
      await page.goto(server.url + path);
      const link = page.getByRole('link', { name }).last();
      await link.scrollIntoViewIfNeeded();
      const scrolled = await page.evaluate(() => window.scrollY);
      // Every heading that is seen until the dialog is there.
      await page.evaluate(() => {
        const seen = new Set<string | undefined>();
        Object.assign(window, { seen });
        const look = () => {
          seen.add(document.querySelector('h1')?.textContent);
          requestAnimationFrame(look);
        };
        look();
      });
      await link.click();
      expect(await link.getAttribute('aria-busy')).toBe('true');
      expect(await page.getByText('Opening…').isVisible()).toBe(true);
      await release();
      const dialog = page.getByRole('dialog', { name: 'Log in or sign up' });
      await dialog.waitFor();
      expect(await page.evaluate(() => (window as unknown as { seen: Set<string> }).seen.size)).toBe(1);
      await expect.poll(() => page.url()).toBe(server.url + path);
      await dialog.getByRole('button', { name: 'Close' }).click();
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name);
      expect(await page.evaluate(() => window.scrollY)).toBe(scrolled);
      expect(complaints).toEqual([]);
    }));

test('an app that could not be fetched says so, and the next tap gets there', () =>
  inContext({ serviceWorkers: 'block' }, async (context) => {
    const page = await context.newPage();
    await page.route(/\/assets\/create-app-[^/]+\.js$/, (route) => route.abort());
    await page.goto(`${server.url}/`);
    await page.getByRole('link', { name: 'Post a Job (Free)' }).click();
    const words = page.getByText('Dwang could not be fetched. Check your signal and try again.');
    await words.waitFor();
    await page.unrouteAll();
    await page.getByRole('link', { name: 'Post a Job (Free)' }).click();
    await expect.poll(() => page.getByRole('dialog', { name: 'Log in or sign up' }).count()).toBe(1);
  }));

test('a visitor who has only seen the landing page has the whole app without signal', async () => {
  const phone = await openDevice(server.url);
  try {
    const page = phone.page();
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await phone.setSignal(false);
    // The phone that is drawn on the page says so too.
    const offline = page.locator('section[data-kind]').getByText('Offline.');
    await offline.waitFor();
    await page.reload();
    await offline.waitFor();
    await page.getByRole('link', { name: 'Join as a Tradie' }).first().click();
    await page.getByRole('dialog').getByText('You need signal for this').waitFor();
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true);
  } finally {
    await phone.close();
  }
});

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
        const button = [...document.querySelectorAll('header a')].find((one) => one.textContent === 'Login / Sign Up');
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

test('the browser is not asked for what every page knows: that it is in New Zealand English', async () => {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    // Costs a new process 15 ms, on a phone four times as much (scripts/vite-one-language.ts).
    await page.addInitScript(() => {
      Intl.DateTimeFormat.supportedLocalesOf = () => {
        document.documentElement.dataset['asked'] = 'locales';
        return [];
      };
    });
    await page.goto(`${server.url}/find-tradies`);
    await page.getByRole('article').first().waitFor();
    expect(await page.evaluate(() => document.documentElement.dataset['asked'])).toBeUndefined();
  } finally {
    await context.close();
  }
});
