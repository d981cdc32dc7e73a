import { chromium, expect, type Browser, type Page } from '@playwright/test';
import { findWholeChromium, launchOptions } from '../scripts/find-chromium.ts';
import { must } from '../shared/lib/must.ts';
import { holdToasts } from './hold-toasts.ts';
import { long } from './test-options.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { timeoutMs } from './timeout-ms.ts';
import { demo, signIn } from './person.ts';
import { test } from './shared-server.ts';

/* Where a toast stands: over no control of what it speaks of. And what a phone shows whose clock is wrong. */

let server: RunningServer;
let browser: Browser;

test.beforeAll(async () => {
  server = await openServer();
  // Alerts are offered where there are notifications.
  browser = await chromium.launch(launchOptions(findWholeChromium()));
});
test.afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const phone = { width: 390, height: 844 };
const desktop = { width: 1_280, height: 800 };

async function openTradie(viewport: typeof phone): Promise<Page> {
  const context = await browser.newContext({
    viewport,
    permissions: ['notifications'],
    reducedMotion: 'reduce',
    timezoneId: 'Pacific/Auckland',
  });
  const page = await context.newPage();
  await page.goto(server.url);
  await signIn(page, demo('tradie'));
  // Alerts can be offered from then on.
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  return page;
}

/** Goes to Find Jobs without leaving the app, and there to the first job that can still be answered. */
async function openJob(page: Page): Promise<void> {
  await page.goto(`${server.url}/find-jobs`);
  const open = page.getByRole('article').filter({ hasNotText: 'Interest Expressed' }).first();
  await open.getByRole('link').first().click();
  await page.getByRole('button', { name: 'Express Interest' }).waitFor();
}

const controls = 'main :is(a, button)';
/** What decides of a job: its name, and what it says of budget, time and place. */
const facts = 'main :is(h1, dl)';

/** Runs in the page: which of these parts of the page the toast lies over. */
function coveredBy(parts: string): string[] {
  const toast = document.querySelector('[data-open] > div')?.getBoundingClientRect();
  if (toast === undefined) return ['no toast'];
  return [...document.querySelectorAll(parts)]
    .filter((part) => {
      const { top, right, bottom, left } = part.getBoundingClientRect();
      return bottom > toast.top && top < toast.bottom && right > toast.left && left < toast.right;
    })
    .map((part) => part.textContent ?? '');
}

/** A phone that is emulated may go on believing that it has signal, until it is told again. */
async function loseSignal(page: Page): Promise<void> {
  await expect(async () => {
    await page.context().setOffline(false);
    await page.context().setOffline(true);
    await page.getByText(/^Offline\./).waitFor({ timeout: 5_000 });
  }).toPass({ timeout: timeoutMs });
}

test('on a phone the answer to "Send now" lies over no control of what waits', long, async () => {
  const page = await openTradie(phone);
  await openJob(page);
  // Before the app knows, it tries to send at once, and what may have left cannot be cancelled.
  await loseSignal(page);
  await page.getByRole('button', { name: 'Express Interest' }).click();
  await page
    .getByRole('link', { name: /^Waiting/ })
    .first()
    .click();
  const cancel = page.getByRole('main').getByRole('button', { name: 'Cancel' });
  await cancel.waitFor();
  const send = page.getByRole('button', { name: 'Send now' });
  const box = await cancel.boundingBox();
  // As low on the page as a second thing that waits would bring it: where toasts stand.
  await cancel.evaluate(
    (button, px) => {
      const item = button.closest('li');
      if (item !== null) item.style.marginTop = `${px}px`;
    },
    690 - (box?.y ?? 0),
  );
  await send.click();
  await expect(page.getByText('No signal just now', { exact: true }).last()).toBeVisible();
  await expect.poll(() => page.evaluate(coveredBy, controls)).toEqual([]);
  await page.context().close();
});

test('on a phone "Saved for later" lies over no name and no fact of the job', long, async () => {
  const page = await openTradie(phone);
  await openJob(page);
  await page.getByRole('button', { name: 'Save for later' }).click();
  await expect(page.getByText('Saved for later', { exact: true }).first()).toBeVisible();
  await expect.poll(() => page.evaluate(coveredBy, facts)).toEqual([]);
  await page.context().close();
});

test('on a phone what became of an interest comes to where it was pressed, and the toast lies over none of its words', async () => {
  const page = await openTradie(phone);
  await openJob(page);
  await page.getByRole('button', { name: 'Express Interest' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('You have expressed interest in this job').waitFor();
  const words = page.locator(':focus [data-tone=good]');
  await expect(words).toBeInViewport({ ratio: 1 });
  await expect.poll(() => page.evaluate(coveredBy, ':focus [data-tone=good] *')).toEqual([]);
  await page.context().close();
});

test('a toast stays where it is under a finger, however the page changes, so that Undo is pressed', long, async () => {
  const context = await browser.newContext({
    viewport: phone,
    hasTouch: true,
    isMobile: true,
    reducedMotion: 'reduce',
  });
  await context.addInitScript(holdToasts);
  const page = await context.newPage();
  await page.goto(server.url);
  await signIn(page, demo('tradie'));
  await openJob(page);
  await page.getByRole('button', { name: 'Not Interested' }).click();
  await page.getByText('Job hidden', { exact: true }).waitFor();
  const undo = page.getByRole('button', { name: 'Undo' });
  // It has come to rest.
  await undo.click({ trial: true });
  const { x, y, width, height } = must(await undo.boundingBox(), 'the place of Undo');
  const finger = await context.newCDPSession(page);
  const touchPoints = [{ x: x + width / 2, y: y + height / 2 }];
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  // What is spoken of comes to be where the toast stands.
  await page.evaluate(
    (at) =>
      new Promise((drawn) => {
        const late = document.createElement('article');
        late.tabIndex = -1;
        late.style.cssText = `position: fixed; inset: ${at.y - 20}px 0 0 0; outline: 1px solid`;
        document.body.append(late);
        late.focus({ preventScroll: true });
        late.append(document.createElement('p'));
        requestAnimationFrame(() => requestAnimationFrame(drawn));
      }),
    { y },
  );
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect(page.getByText('Job shown again', { exact: true })).toBeVisible();
  await context.close();
});

test('on a small phone "Welcome back!" lies over no heading of the Dashboard', long, async () => {
  const context = await browser.newContext({ viewport: { width: 320, height: 640 }, reducedMotion: 'reduce' });
  await context.addInitScript(holdToasts);
  const page = await context.newPage();
  await page.goto(server.url);
  await signIn(page, demo('tradie'));
  await expect(page.getByText('Welcome back!', { exact: true })).toBeVisible();
  await expect.poll(() => page.evaluate(coveredBy, 'main :is(h1, h2, a, button)')).toEqual([]);
  await page.context().close();
});

test('on a phone Undo of a hidden job leaves the list where it was', long, async () => {
  const page = await openTradie(phone);
  await page.goto(`${server.url}/find-jobs`);
  await page.getByRole('article').first().waitFor();
  await page.evaluate(() => window.scrollTo(0, 1_500));
  const link = page.getByRole('link', { name: 'Hedge has got away on us' });
  await link.scrollIntoViewIfNeeded();
  await link.click();
  await page.getByRole('button', { name: 'Not Interested' }).click();
  await page.getByRole('heading', { level: 1, name: 'Find Jobs' }).waitFor();
  await expect(link).toHaveCount(0);
  const before = await page.evaluate(() => window.scrollY);
  expect(before).toBeGreaterThan(500);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(link).toBeVisible();
  expect(await page.evaluate(() => window.scrollY)).toBeCloseTo(before, -2);
  await page.context().close();
});

test('on a desktop "Interest expressed" does not lie over "Turn on alerts", which comes after it', long, async () => {
  const page = await openTradie(desktop);
  await openJob(page);
  await page.getByRole('button', { name: 'Express Interest' }).click();
  await expect(page.getByText('Interest expressed', { exact: true })).toBeVisible();
  const alerts = page.getByRole('button', { name: 'Turn on alerts' });
  await alerts.waitFor();
  await alerts.evaluate((button) => button.scrollIntoView({ block: 'end' }));
  await expect.poll(() => page.evaluate(coveredBy, controls)).not.toContain('Turn on alerts');
  await page.context().close();
});

test(
  'on a desktop "Job hidden" lies over no button of the job that one comes back to, with the pointer still there',
  long,
  async () => {
    const page = await openTradie(desktop);
    await page.addInitScript(holdToasts);
    await openJob(page);
    await page.getByRole('link', { name: 'Open', exact: true }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Not Interested' }).click();
    // The next job is open beside the list.
    await page.getByRole('link', { name: 'Open', exact: true }).waitFor();
    await expect(page.getByText('Job hidden', { exact: true })).toBeVisible();
    await expect.poll(() => page.evaluate(coveredBy, 'section[aria-label="Job"] :is(a, button)')).toEqual([]);
    await page.context().close();
  },
);

test(
  'on a desktop the keyboard goes through the job beside the list and leaves the list where it is',
  long,
  async () => {
    const page = await openTradie(desktop);
    await openJob(page);
    const express = page.getByRole('button', { name: 'Express Interest' });
    for (let presses = 0; presses < 12 && !(await express.evaluate((one) => one.matches(':focus'))); presses += 1)
      await page.keyboard.press('Tab');
    await expect(express).toBeFocused();
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await page.context().close();
  },
);

test('on a phone whose clock is 40 days ahead, what is shown has the right time', long, async () => {
  const context = await browser.newContext({ viewport: phone, timezoneId: 'Pacific/Auckland' });
  const page = await context.newPage();
  await page.clock.install({ time: new Date(Date.now() + 40 * 24 * 3_600_000) });
  await page.goto(server.url);
  await signIn(page, demo('tradie'));
  for (const path of ['/find-jobs', '/dashboard', '/find-tradies']) {
    await page.goto(`${server.url}${path}`);
    await expect(page.getByText(/^Updated \d+:\d\d [ap]m$/).first()).toBeVisible();
  }
  await context.close();
});
