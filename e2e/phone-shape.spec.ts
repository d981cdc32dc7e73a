import { expect, test, type CDPSession, type Page } from '@playwright/test';
import { must } from '../shared/lib/must.ts';
import { signedIn } from './account.ts';
import { openDevice, type Device } from './open-device.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { demo, signIn } from './person.ts';

/*
 * What the shape of a phone asks of every screen: a notch at either side, a keyboard that takes half of the window, fields that an iPhone
 * does not zoom into, and a way back where there is no browser around the page. Chromium stands in for iOS as far as it can be told the
 * same (docs/browsers.md).
 */

const portrait = { width: 390, height: 844 };
const landscape = { width: 844, height: 390 };
/** Of an iPhone with a Dynamic Island, held sideways. */
const notch = { left: 59, leftMax: 59, right: 59, rightMax: 59, bottom: 21, bottomMax: 21, top: 0, topMax: 0 };

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

async function openRoute(path: string): Promise<void> {
  await page.goto(`${server.url}${path}`);
  await page.locator('main h1').first().waitFor();
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
}

test('no field is of a size that an iPhone zooms into when it is tapped: 16 px at least', async () => {
  const small: string[] = [];
  for (const path of routes()) {
    await openRoute(path);
    small.push(
      ...(await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('input, select, textarea')]
          .filter((field) => !field.matches('[type=checkbox], [type=radio], [type=file], [type=range], [type=hidden]'))
          .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < 16)
          .map((field) => `${location.pathname}: ${field.outerHTML.slice(0, 80)}`),
      )),
    );
  }
  expect(small).toEqual([]);
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

/** Runs in the page: texts and controls that reach into the sides. */
function underNotch({ left, right }: { left: number; right: number }): string[] {
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  for (let node = words.nextNode(); node !== null; node = words.nextNode()) {
    const parent = node.parentElement;
    if (
      parent === null ||
      (node.textContent ?? '').trim() === '' ||
      !parent.checkVisibility({ visibilityProperty: true })
    )
      continue;
    if (parent.closest('script, style, noscript, [data-live-announcer]') !== null) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    const isClipped = getComputedStyle(parent).clipPath !== 'none' || box.width <= 1;
    if (!isClipped && (box.left < left - 1 || box.right > window.innerWidth - right + 1))
      found.push(
        `${location.pathname}: “${(node.textContent ?? '').trim().slice(0, 40)}” at ${Math.round(box.left)} to ${Math.round(box.right)}`,
      );
  }
  return found;
}

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

/** Runs in the page. */
function seenWithMessage(field: HTMLElement | SVGElement): string {
  const parts = [
    field,
    ...(field.getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id)),
  ];
  const bars = [...document.querySelectorAll('[data-places], [data-action-bar]')]
    .map((bar) => bar.getBoundingClientRect())
    .filter(({ height, bottom }) => height > 0 && bottom >= window.innerHeight - 1);
  const end = Math.min(window.innerHeight, ...bars.map(({ top }) => top));
  const out = parts
    .filter((part) => part !== null)
    .map((part) => part.getBoundingClientRect())
    .filter(({ top, bottom }) => top < 0 || bottom > end + 1);
  return out.length === 0
    ? 'seen'
    : `${field.outerHTML.slice(0, 80)}: ${out.map(({ top, bottom }) => `${Math.round(top)} to ${Math.round(bottom)}`).join()} of ${Math.round(end)}`;
}

test('every screen has a way back of its own: there is no browser around an app on the home screen', async () => {
  for (const path of routes()) {
    await openRoute(path);
    const ways = page
      .getByRole('button', { name: /^(Back|Cancel)/ })
      .or(page.getByRole('link', { name: /^(Back|Dashboard|My jobs|Dwang home)/ }));
    expect(await ways.count(), path).toBeGreaterThan(0);
  }
});
