import { expect, type CDPSession, type Page } from '@playwright/test';
import { must } from '../shared/lib/must.ts';
import type { PagePath } from '../shared/routes.ts';
import { signedIn } from './account.ts';
import { openDevice, type Device } from './open-device.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { demo, signIn } from './person.ts';
import {
  coverBelow,
  landscape,
  notch,
  goToSettled,
  portrait,
  seenWithMessage,
  tooSmall,
  underNotch,
  waysUp,
} from './phone-shape.ts';
import { long } from './test-options.ts';
import { test } from './shared-server.ts';

/*
 * What the shape of a phone asks of every screen: a notch at either side, a keyboard that takes half of the window,
 * fields that an iPhone does not zoom into, and a way back where there is no browser around the page. Chromium stands
 * in for iOS as far as it can be told the same (docs/browsers.md).
 */

let server: RunningServer;
let phone: Device;
let page: Page;
let browser: CDPSession;
let job: string;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  server = await openServer();
  const owner = await signedIn(server, demo('homeowner').email, demo('homeowner').password);
  const jobs = await owner.get<{ id: string; status: string }[]>('/api/jobs?type=my-jobs');
  job = must(
    jobs.find(({ status }) => status === 'active'),
    'an open job',
  ).id;
  phone = await openDevice(server.url);
  page = phone.page();
  browser = await page.context().newCDPSession(page);
  await signIn(page, demo('homeowner'));
});
test.afterAll(async () => {
  await phone?.close();
  await server?.close();
});

const routes = () => [
  '/dashboard',
  '/post-job',
  `/job/${job}`,
  `/edit-job/${job}`,
  '/waiting',
  '/edit-account',
  '/become-tradie',
  '/find-tradies',
  '/legal',
];

const openRoute = (path: string) => goToSettled(page, `${server.url}${path}`);

test('no field is of a size that an iPhone zooms into when it is tapped: 16 px at least, at every size of text, in a dialog too', async () => {
  const small: string[] = [];
  for (const path of routes()) {
    await openRoute(path);
    small.push(...(await page.evaluate(tooSmall, 16)));
  }
  const visitor = await openDialog();
  small.push(...(await visitor.evaluate(tooSmall, 16)));
  await visitor.context().close();
  expect(small).toEqual([]);
});

test('what a visitor presses in the header is in one row, and whole, at every size of text; on the smallest phone up to the large one', async () => {
  const context = await must(page.context().browser(), 'the browser').newContext();
  const visitor = await context.newPage();
  const sizes = ['usual', 'large', 'largest'];
  for (const [width, texts] of [
    [320, sizes.slice(0, 2)],
    [390, sizes],
  ] as const)
    for (const text of texts) {
      await visitor.setViewportSize({ width, height: 844 });
      await visitor.goto(server.url);
      await visitor.evaluate((size) => void (document.documentElement.dataset['text'] = size), text);
      const [find, enter] = await Promise.all(
        ['Find Tradies', 'Login / Sign Up'].map((name) =>
          visitor
            .getByRole('banner')
            .getByRole('link', { name })
            .evaluate((link) => link.getBoundingClientRect().toJSON() as DOMRect),
        ),
      );
      expect(Math.abs(find!.top + find!.height / 2 - enter!.top - enter!.height / 2)).toBeLessThan(2);
      expect(enter!.right).toBeLessThanOrEqual(width);
    }
  await context.close();
});

test('held sideways nothing to read or to press is under the notch or the home indicator', async () => {
  await page.setViewportSize(landscape);
  await browser.send('Emulation.setSafeAreaInsetsOverride', { insets: notch });
  const hidden: string[] = [];
  for (const path of routes()) {
    await openRoute(path);
    hidden.push(...(await page.evaluate(underNotch, notch)));
  }
  await browser.send('Emulation.setSafeAreaInsetsOverride', { insets: {} });
  await page.setViewportSize(portrait);
  expect(hidden).toEqual([]);
});

test('the keyboard takes half of the window: the field in hand and its message stay above it', async () => {
  await openRoute('/post-job');
  const title = page.getByLabel('Title');
  await title.waitFor();
  const fields = await page.locator(':is(main input[type=text], main textarea, main input:not([type])):visible').all();
  expect(fields.length).toBeGreaterThan(2);
  for (const field of fields) {
    await page.setViewportSize(portrait);
    // As far down as a finger may meet it.
    await field.evaluate((element) => {
      window.scrollTo(0, element.getBoundingClientRect().bottom + window.scrollY - window.innerHeight + 80);
    });
    await field.focus();
    await page.setViewportSize({ width: 390, height: 844 - 380 });
    await expect.poll(() => field.evaluate(seenWithMessage)).toBe('seen');
  }
  await page.setViewportSize(portrait);
});

/** A visitor's page with the sign-in dialog open, in a browser of its own. */
async function openDialog(): Promise<Page> {
  const context = await must(page.context().browser(), 'the browser').newContext({
    viewport: portrait,
    hasTouch: true,
    isMobile: true,
  });
  const visitor = await context.newPage();
  await visitor.goto(`${server.url}/?sign-in`);
  await visitor.getByRole('dialog').getByLabel('Password').waitFor();
  return visitor;
}

test(
  'the keyboard comes while a dialog is open: its field in hand stays above it, and the message that comes with the keyboard there',
  long,
  async () => {
    const visitor = await openDialog();
    const dialog = visitor.getByRole('dialog');
    for (const label of ['Email', 'Password']) {
      await visitor.setViewportSize(portrait);
      await dialog.getByLabel(label).focus();
      await visitor.setViewportSize({ width: 390, height: 844 - 380 });
      await expect.poll(() => dialog.getByLabel(label).evaluate(seenWithMessage)).toBe('seen');
    }
    const email = dialog.getByLabel('Email');
    await email.fill('not an address');
    await visitor.keyboard.press('Enter');
    await expect.poll(() => email.evaluate((field) => field.getAttribute('aria-invalid'))).toBe('true');
    await expect.poll(() => email.evaluate(seenWithMessage)).toBe('seen');
    await visitor.context().close();
  },
);

test('an iPhone’s keyboard, under which the page goes on: the field in hand and its message stay above it, in a dialog too', async () => {
  await openRoute('/post-job');
  await page.getByLabel('Title').waitFor();
  const fields = await page.locator(':is(main input[type=text], main textarea, main input:not([type])):visible').all();
  expect(fields.length).toBeGreaterThan(2);
  for (const field of fields) {
    await page.evaluate(coverBelow, portrait.height);
    await field.evaluate((element) => {
      window.scrollTo(0, element.getBoundingClientRect().bottom + window.scrollY - window.innerHeight + 80);
    });
    await field.focus();
    await page.evaluate(coverBelow, 844 - 380);
    await expect.poll(() => field.evaluate(seenWithMessage)).toBe('seen');
  }
  const visitor = await openDialog();
  for (const label of ['Email', 'Password']) {
    const field = visitor.getByRole('dialog').getByLabel(label);
    await visitor.evaluate(coverBelow, portrait.height);
    await field.focus();
    await visitor.evaluate(coverBelow, 844 - 380);
    await expect.poll(() => field.evaluate(seenWithMessage)).toBe('seen');
  }
  await visitor.context().close();
});

test(
  'every route leads up by a control of its own: there is no browser around an app on the home screen',
  long,
  async () => {
    const owner = await signedIn(server, demo('homeowner').email, demo('homeowner').password);
    const [business] = await owner.get<{ id: string }[]>('/api/tradies');
    const addresses: Record<PagePath, string> = {
      '/': '/',
      '/legal': '/legal',
      '/find-tradies': '/find-tradies',
      '/tradie/$id': `/tradie/${must(business, 'a business').id}`,
      '/job/$id': `/job/${job}`,
      '/dashboard': '/dashboard',
      '/post-job': '/post-job',
      '/find-jobs': '/find-jobs',
      '/edit-job/$id': `/edit-job/${job}`,
      '/become-tradie': '/become-tradie',
      '/edit-tradie': '/edit-tradie',
      '/edit-account': '/edit-account',
      '/waiting': '/waiting',
    };
    const lookForWaysUp = async () => {
      const here = new URL(page.url()).pathname;
      const { links, buttons } = await page.evaluate(waysUp);
      // The dashboard is the top; from there the other places are one tap away.
      const up = here === '/dashboard' ? ['/find-tradies'] : ['/dashboard'];
      return links.some((link) => up.includes(link)) || buttons.length > 0 ? 'found' : `${here}: ${links.join(' ')}`;
    };
    for (const path of Object.values(addresses)) {
      await openRoute(path);
      // What a visitor sees at `/` goes when the app has found who is signed in.
      await expect.poll(lookForWaysUp).toBe('found');
    }
  },
);

test('the camera and the photo library have a button each', long, async () => {
  await openRoute('/post-job');
  const inputs = await page
    .locator('input[type=file]')
    .evaluateAll((found) =>
      found.map((input) => [input.getAttribute('capture'), (input as HTMLInputElement).multiple]),
    );
  expect(inputs).toEqual([
    ['environment', false],
    [null, true],
  ]);
});
