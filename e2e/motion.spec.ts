import { chromium, expect, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { launchOptions } from '../scripts/find-chromium.ts';
import type { RunningServer } from './open-server.ts';
import { demo, signIn } from './person.ts';
import { test } from './shared-server.ts';

/*
 * Motion that says where something went: a job from its card, an item that was sent, a page pulled down. Short, and
 * none where none is wanted.
 */

let server: RunningServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;

test.beforeAll(async ({ shareServer }) => {
  server = await shareServer();
  browser = await chromium.launch(launchOptions());
  context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  page = await context.newPage();
  await page.addInitScript(noteMoves);
  await page.goto(server.url);
  await signIn(page, demo('tradie'));
  // A page that is opened without signal needs its worker.
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
});
test.afterAll(async () => {
  await browser?.close();
});

type Noted = { moves: { names: string[]; longestMs: number }[] };

/** Runs in the page: of each view transition, what moved and how long it took at most. */
function noteMoves(): void {
  const noted = globalThis as unknown as Noted;
  noted.moves = [];
  const begin = document.startViewTransition?.bind(document);
  if (begin === undefined) return;
  document.startViewTransition = (update) => {
    const transition = begin(update);
    void transition.ready.then(() => {
      const animations = document
        .getAnimations()
        .filter(({ effect }) => (effect as KeyframeEffect).pseudoElement?.startsWith('::view-transition'));
      noted.moves.push({
        names: animations.map(({ effect }) => (effect as KeyframeEffect).pseudoElement ?? ''),
        longestMs: Math.max(...animations.map(({ effect }) => Number(effect?.getComputedTiming().endTime))),
      });
    });
    return transition;
  };
}
const moves = () => page.evaluate(() => (globalThis as unknown as Noted).moves);
const main = () => page.getByRole('main');

async function openFirstJob(): Promise<void> {
  await page.getByRole('link', { name: 'Jobs', exact: true }).tap();
  await page.getByRole('heading', { level: 1, name: 'Find Jobs' }).waitFor();
  const job = main().getByRole('article').first().getByRole('link');
  const name = (await job.textContent()) ?? '';
  await job.tap();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

test('a card grows to the page of its job in less than 200 ms, and its title to the heading', async () => {
  await openFirstJob();
  await expect.poll(moves).toHaveLength(1);
  const [move] = await moves();
  for (const name of ['card', 'opened']) expect(move?.names).toContain(`::view-transition-group(${name})`);
  expect(move?.longestMs).toBeGreaterThan(0);
  expect(move?.longestMs).toBeLessThan(200);
});

/** Express interest without signal, look at what waits, and have signal again. */
async function sendFromTheWaitingPage(): Promise<void> {
  await context.setOffline(true);
  await main().getByRole('button', { name: 'Express Interest' }).tap();
  await main().getByText('Saved on this phone').first().waitFor();
  await page.getByRole('link', { name: /^Waiting to send/ }).tap();
  await main().getByRole('heading', { level: 1, name: 'Waiting to send (1)' }).waitFor();
  await page.evaluate(() => void ((globalThis as unknown as Noted).moves = []));
  await context.setOffline(false);
  await main().getByText('Everything has been sent').waitFor();
}

test('an item that was sent goes from where it waited to what was sent, in less than 200 ms', async () => {
  await sendFromTheWaitingPage();
  const isMoved = async () =>
    (await moves()).some(
      ({ names, longestMs }) =>
        names.some((name) => name.startsWith('::view-transition-group(item-')) && longestMs < 200,
    );
  await expect.poll(isMoved).toBe(true);
  await expect(
    main()
      .getByText(/^Sent \d+:\d\d [ap]m$/)
      .first(),
  ).toBeVisible();
});

test('pulled down and let go, the page stays and the server is asked again', async () => {
  const finger = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...ys: number[]) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: ys.map((y) => ({ x: 200, y })) });
  await page.evaluate(() => void ((globalThis as unknown as { isSame: boolean }).isSame = true));
  await touch('touchStart', 200);
  for (let y = 210; y <= 250; y += 10) await touch('touchMove', y);
  await expect(page.getByText('Pull to look again')).toBeVisible();
  for (let y = 260; y <= 400; y += 10) await touch('touchMove', y);
  await expect(page.getByText('Let go to look again')).toBeVisible();
  const asked = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/sync');
  await touch('touchEnd');
  await asked;
  await expect(page.getByText('Let go to look again')).toBeHidden();
  expect(await page.evaluate(() => (globalThis as unknown as { isSame?: boolean }).isSame)).toBe(true);
});

test('with reduced motion nothing moves: no transition is begun, and no animation takes time', async () => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(() => void ((globalThis as unknown as Noted).moves = []));
  await openFirstJob();
  await page.getByRole('link', { name: 'Dashboard' }).tap();
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  expect(await moves()).toEqual([]);
  expect(
    await page.evaluate(() =>
      ['--quick', '--calm'].map((name) =>
        Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue(name)),
      ),
    ),
  ).toEqual([0, 0]);
});
