import { chromium, expect, type Browser } from '@playwright/test';
import { launchOptions } from '../scripts/find-chromium.ts';
import { withoutWorker, long } from './test-options.ts';
import type { RunningServer } from './open-server.ts';
import { demo, signIn } from './person.ts';
import { test } from './shared-server.ts';

test.use(withoutWorker);

/*
 * Where the colours are the system's own (Windows high contrast), and on paper.
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

test('in the system’s own colours one sees which box is ticked and which answer is chosen', async () => {
  const page = await browser.newPage({ forcedColors: 'active' });
  await page.goto(`${server.url}/dev/ui`);
  const boxes = page.getByRole('group', { name: 'Trade categories' }).locator('label');
  await boxes.first().waitFor();
  const ticked = await boxes.evaluateAll((all) =>
    all.map((box) => [
      box.querySelector('input')?.checked,
      getComputedStyle(box.querySelector('svg') ?? box).visibility === 'visible',
    ]),
  );
  expect(new Set(ticked.map(([is]) => is))).toEqual(new Set([true, false]));
  for (const [is, isSeen] of ticked) expect(isSeen).toBe(is);
  const answers = page.getByRole('radiogroup', { name: 'Urgency' }).locator('label');
  const dots = await answers.evaluateAll((all) =>
    all.map((answer) => [
      answer.querySelector('input')?.checked,
      [...answer.querySelectorAll('span')].map((one) => getComputedStyle(one).backgroundColor).join(),
    ]),
  );
  const [chosen] = dots.filter(([is]) => is).map(([, colours]) => colours);
  const others = new Set(dots.filter(([is]) => !is).map(([, colours]) => colours));
  expect(others.size).toBe(1);
  expect(others).not.toContain(chosen);
  await page.close();
});

test('a job on paper has its words and pictures, and nothing to press', long, async () => {
  const page = await browser.newPage();
  await page.goto(server.url);
  await signIn(page, demo('tradie'));
  // One that they may still answer.
  await page.goto(`${server.url}/find-jobs`);
  const open = page.locator('main article:not(:has-text("Interest Expressed")) a[href^="/job/"]').first();
  await page.goto(`${server.url}${await open.getAttribute('href')}`);
  const title = page.getByRole('heading', { level: 1 });
  await page.getByText('Max budget').waitFor();
  const pressed = ['Back', 'Save for later'].map((name) => page.getByRole('button', { name }));
  for (const button of pressed) await expect(button).toBeVisible();
  const note = page.getByLabel(/^Note to the homeowner/);
  await expect(note).toBeVisible();
  // As a person who reads in the dark.
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'));
  await page.emulateMedia({ media: 'print' });
  await expect(title).toBeVisible();
  expect(await title.evaluate((words) => getComputedStyle(words).color)).toBe('rgb(18, 32, 26)');
  await expect(page.getByText('Max budget')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Dwang home' })).toBeHidden();
  for (const button of pressed) await expect(button).toBeHidden();
  await expect(note).toBeHidden();
  await page.close();
});
