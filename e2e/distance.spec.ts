import { chromium, expect, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { launchOptions } from '../scripts/find-chromium.ts';
import { deviceContents } from './device-contents.ts';
import { openRecorder, type Recorder } from './open-recorder.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { askToLogOut, demo, signIn } from './person.ts';
import { long } from './test-options.ts';
import { test } from './shared-server.ts';

/*
 * How far jobs are, from this phone's place, which no request carries; and the map, which is drawn without signal.
 */

/** At sea off Bluff, where no town is: what has these digits in it has them from the phone. */
const place = { latitude: -46.787_654, longitude: 168.543_219 };
const traces = ['46.78', '46.79', '168.54'];

let server: RunningServer;
let recorder: Recorder;
let browser: Browser;
let context: BrowserContext;
let page: Page;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  recorder = await openRecorder();
  server = await openServer({ PUBLIC_URL: recorder.url });
  recorder.leadTo(server.url);
  browser = await chromium.launch(launchOptions());
  context = await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
  page = await context.newPage();
  await page.goto(recorder.url);
  await signIn(page, demo('tradie'));
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await open();
});
test.afterAll(async () => {
  await browser?.close();
  await recorder?.close();
  await server?.close();
});

const cards = () => page.getByRole('article');
const firstPlace = () =>
  cards()
    .first()
    .getByText(/\skm$|^your town$/);
const map = () => page.getByRole('region', { name: 'Map of jobs' });
/** Beside it are icons. */
const outline = () => map().locator('svg[viewBox$=" 2000"] path');
const circles = () => map().getByRole('button', { name: /, [\d,]+ jobs?$/ });
const mapButton = () => page.getByRole('button', { name: 'Map', exact: true });
const open = async (search = '') => {
  await page.goto(`${recorder.url}/find-jobs${search}`);
  await cards().first().waitFor();
};
const askPhone = async () => {
  await page.getByRole('button', { name: /^Filters/ }).click();
  await page.getByRole('button', { name: 'Use my location' }).click();
  await page.getByRole('button', { name: 'Find my place' }).click();
};
/**
 * Compared by themselves: a failure that prints a whole phone cannot be read. The seconds of a time, which may be the
 * same digits, are none.
 */
const tracesIn = (text: string) =>
  traces.filter((trace) => new RegExp(`(?<!\\d|\\d:)${RegExp.escape(trace)}`).test(text));

test('a phone that may not say where it is: the person is told what to do, and distances stay those from their town', async () => {
  await context.clearPermissions();
  await open('?sort=nearest&max=50000');
  await expect(page.getByText('Nearest to Marton first.')).toBeVisible();
  await askPhone();
  await expect(page.getByText('Location is turned off for Dwang')).toBeVisible();
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(page.getByText('Nearest to Marton first.')).toBeVisible();
});

test('distances from this phone’s place, after a reload and without signal too, and no request carries it', async () => {
  await context.grantPermissions(['geolocation'], { origin: recorder.url });
  await context.setGeolocation(place);
  await open('?sort=nearest&max=50000');
  await askPhone();
  await expect(page.getByText(/^Nearest to this phone first\./)).toBeVisible();
  await page.getByRole('combobox', { name: 'Distance from this phone' }).selectOption('Within 200 km');
  await page.getByRole('button', { name: 'Show jobs' }).click();
  const near = await cards().count();
  await expect(firstPlace()).toBeVisible();
  const words = await firstPlace().innerText();

  await context.setOffline(true);
  await page.reload();
  await cards().first().waitFor();
  await expect(page.getByText(/^Nearest to this phone first\./)).toBeVisible();
  expect(await firstPlace().innerText()).toBe(words);
  expect(await cards().count()).toBe(near);
  await context.setOffline(false);

  // What is saved goes to the server: from the town, as it says.
  await page.getByRole('button', { name: /^Filters/ }).click();
  await expect(page.getByText(/A search you save counts from/)).toBeVisible();
  await page.getByRole('button', { name: 'Save this search' }).click();
  await expect(page.getByRole('button', { name: 'Save this search' })).toHaveCount(0);
  await expect.poll(() => recorder.sent().some((one) => one.includes('search.save'))).toBe(true);
  await page.goto(`${recorder.url}/dashboard`);
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();

  // It is on the phone, rounded, so the digits would be seen.
  expect(tracesIn(await deviceContents(page))).toEqual(['46.79', '168.54']);
  expect(recorder.sent().length).toBeGreaterThan(20);
  expect(tracesIn(recorder.sent().join('\n'))).toEqual([]);
});

test('without signal and never opened before, the map says what is missing, and its circles work; with signal it comes by itself', async () => {
  await open('?max=50000');
  await context.setOffline(true);
  await mapButton().click();
  await expect(map().getByText(/The outline isn't on this phone yet/)).toBeVisible();
  const [name = ''] = await circles().evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
  await circles().first().click();
  await expect(page.getByText(name.replace(/^.*, /, ''), { exact: true })).toBeVisible();
  await context.setOffline(false);
  await expect(outline()).toBeAttached();
  await expect(map().getByText(/The outline isn't/)).toHaveCount(0);
});

test('a map that was open with signal is drawn without, also after a restart of the page', async () => {
  await context.setOffline(true);
  await page.goto(`${recorder.url}/find-jobs?max=50000&map=true`);
  await expect(outline()).toBeAttached();
  expect(await circles().count()).toBeGreaterThan(3);
  await context.setOffline(false);
});

test('by keys alone: circles come north to south, Enter shows the jobs of one, Back from a job keeps them, Enter shows all', async () => {
  await open('?max=50000&map=true');
  const all = await page.getByText(/^\d+ jobs?/).innerText();
  const tops = await circles().evaluateAll((found) => found.map((one) => one.getBoundingClientRect().top));
  expect(tops).toEqual(tops.toSorted((one, other) => one - other));
  await mapButton().focus();
  while (!(await circles().evaluateAll((found) => found.some((one) => one === document.activeElement))))
    await page.keyboard.press('Tab');
  const chosen = circles().first();
  const name = (await chosen.getAttribute('aria-label')) ?? '';
  const wanted = name.replace(/^.*, /, '');
  await page.keyboard.press('Enter');
  await expect(chosen).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByText(wanted, { exact: true })).toBeVisible();

  await cards().first().getByRole('link').click();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(page.getByText(wanted, { exact: true })).toBeVisible();
  await expect(chosen).toHaveAttribute('aria-pressed', 'true');
  await chosen.press('Enter');
  await expect(page.getByText(all, { exact: true })).toBeVisible();
});

test('on a desktop the map stands where a job is read, and comes back when that is closed', long, async () => {
  await page.setViewportSize({ width: 1_280, height: 800 });
  await open('?max=50000&map=true');
  await expect(map()).toBeInViewport({ ratio: 0.95 });
  await cards().first().getByRole('link').click();
  await expect(map()).toHaveCount(0);
  await page.getByRole('button', { name: 'Close job' }).click();
  await expect(map()).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
});

test('logging out deletes the place from the phone, and the next person’s distances are not from it', async () => {
  await page.goto(`${recorder.url}/dashboard`);
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  await askToLogOut(page);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log Out' }).click();
  // The landing page comes when the device is emptied, the link as soon as the session is over.
  await expect.poll(() => new URL(page.url()).pathname).toBe('/');
  expect(tracesIn(await deviceContents(page))).toEqual([]);
  await signIn(page, demo('trialing'));
  await open('?sort=nearest&max=50000');
  await expect(page.getByText(/^Nearest to this phone first/)).toHaveCount(0);
  expect(tracesIn(recorder.sent().join('\n'))).toEqual([]);
});
