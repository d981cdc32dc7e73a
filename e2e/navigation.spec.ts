import { chromium, expect, type Browser, type Page } from '@playwright/test';
import { launchOptions } from '../scripts/find-chromium.ts';
import { holdToasts } from './hold-toasts.ts';
import { long } from './test-options.ts';
import { openDesktop } from './open-desktop.ts';
import { openDevice, type Device } from './open-device.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { demo, signIn } from './person.ts';
import { test } from './shared-server.ts';

/*
 * The main places are within reach of the thumb on a phone and in the header of a desktop, wherever the page is
 * scrolled to, and hide nothing that one reads or that has the focus.
 */

let server: RunningServer;
let phone: Device;
let browser: Browser;

test.beforeAll(async () => {
  server = await openServer();
  phone = await openDevice(server.url);
  browser = await chromium.launch(launchOptions());
});
test.afterAll(async () => {
  await phone?.close();
  await browser?.close();
  await server?.close();
});

const places = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const boxOf = (page: Page) =>
  places(page).evaluate((part) => {
    const { top, bottom } = part.getBoundingClientRect();
    return { top, bottom, window: window.innerHeight };
  });
const scrollToEnd = (page: Page) => page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));

test('on a phone the places stay under the thumb, and neither the end of the page nor a toast is behind them', async () => {
  const page = phone.page();
  await signIn(page, demo('tradie'));
  await places(page).getByRole('link', { name: 'Jobs', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Find Jobs' }).waitFor();
  await expect.poll(async () => (await boxOf(page)).window - (await boxOf(page)).bottom).toBe(0);
  await places(page).getByRole('link', { name: 'Interested' }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('jobs-interested');
  await page.goto(`${server.url}/dashboard?subscription=cancelled`);
  const toast = page.getByRole('alert').getByText('Payment Cancelled');
  await toast.waitFor();
  // The page has its length.
  await page.getByRole('heading', { name: /^Your Posted Jobs/ }).waitFor();
  await scrollToEnd(page);
  const { top, bottom, window } = await boxOf(page);
  expect(window - bottom).toBe(0);
  expect(window - top).toBeLessThan(80);
  const ends = await Promise.all(
    [toast, page.getByRole('contentinfo').getByRole('link').last()].map((part) =>
      part.evaluate((element) => element.getBoundingClientRect().bottom),
    ),
  );
  for (const end of ends) expect(end).toBeLessThanOrEqual(top);
});

test('on a desktop the places stay in the header, and the heading that one comes to is below it', long, async () => {
  const page = await openDesktop(browser, server.url);
  await signIn(page, demo('homeowner'));
  await places(page).getByRole('link', { name: 'Tradies' }).click();
  await page.getByRole('heading', { level: 1, name: 'Find Tradies' }).waitFor();
  await scrollToEnd(page);
  await expect.poll(async () => (await boxOf(page)).top).toBeGreaterThanOrEqual(0);
  expect((await boxOf(page)).bottom).toBeLessThan(80);
  await places(page).getByRole('link', { name: 'My jobs' }).click();
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  const heading = page.getByRole('heading', { level: 1 });
  await expect
    .poll(() => heading.evaluate((element) => element.getBoundingClientRect().top))
    .toBeGreaterThan((await boxOf(page)).bottom);
  await page.close();
});

/** Runs in the page: the links and buttons of the page that a toast lies over. */
function coveredByToast(): string[] {
  const toast = document.querySelector('[data-open] > div')?.getBoundingClientRect();
  if (toast === undefined) return ['no toast'];
  return [...document.querySelectorAll('main :is(a, button, article, section)')]
    .filter((part) => {
      const { top, bottom } = part.getBoundingClientRect();
      return bottom > toast.top && top < toast.bottom;
    })
    .map((part) => part.textContent ?? '');
}

test(
  'the greeting after signing in lies over none of the jobs on a phone, and over nothing that one can press',
  long,
  async () => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await context.addInitScript(holdToasts);
    const page = await context.newPage();
    await page.goto(server.url);
    await signIn(page, demo('homeowner'));
    await page.getByRole('article').first().waitFor();
    await expect(page.getByText('Welcome back!')).toBeVisible();
    expect(await page.evaluate(coveredByToast)).toEqual([]);
    await context.close();
  },
);

/**
 * Runs in the page: each word of the header and of the bar at its foot, its size, and whether all of it is in the
 * window.
 */
function frameWords(): { word: string; size: number; isWhole: boolean }[] {
  const texts = [...document.querySelectorAll('header :is(a:not([aria-label]), button:not([aria-label]))')];
  return texts.map((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const all = [...range.getClientRects()];
    return {
      word: element.textContent ?? '',
      size: Number.parseFloat(getComputedStyle(element).fontSize),
      isWhole: all.every(
        ({ left, right, bottom }) => left >= 0 && right <= window.innerWidth && bottom <= window.innerHeight,
      ),
    };
  });
}

test(
  'text twice as large is so in the header and in the bar too, whole, and the bar still covers nothing of the end of a page',
  long,
  async () => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    const page = await context.newPage();
    await page.goto(server.url);
    await signIn(page, demo('homeowner'));
    await places(page).getByRole('link', { name: 'Account' }).waitFor();
    const own = await page.evaluate(frameWords);
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'));
      await expect
        .poll(() => page.evaluate(frameWords))
        .toEqual(own.map(({ word }) => ({ word, size: expect.any(Number), isWhole: true })));
      const large = await page.evaluate(frameWords);
      large.forEach(({ word, size }, at) => expect(size, word).toBeGreaterThan(1.85 * (own[at]?.size ?? 0)));
      await scrollToEnd(page);
      const end = await page
        .getByRole('contentinfo')
        .getByRole('link')
        .last()
        .evaluate((element) => element.getBoundingClientRect().bottom);
      expect(end).toBeLessThanOrEqual((await boxOf(page)).top);
    }
    await context.close();
  },
);
