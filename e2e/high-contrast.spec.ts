import { chromium, expect, test, type Browser } from '@playwright/test';
import { launchOptions } from '../scripts/find-chromium.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { demo, signIn } from './person.ts';

/*
 * Where the colours are the system's own (Windows high contrast), and on paper.
 */

let server: RunningServer;
let browser: Browser;

test.beforeAll(async () => {
  server = await openServer();
  browser = await chromium.launch(launchOptions());
});
test.afterAll(async () => {
  await browser?.close();
  await server?.close();
});

test('in the system’s own colours one sees which box is ticked and which answer is chosen', async () => {
  const page = await browser.newPage({ forcedColors: 'active' });
  await page.goto(`${server.url}/dev/ui`);
  const tickOf = (name: string) => page.locator('label').filter({ hasText: name }).locator('svg').first();
  await expect(tickOf('Builder')).toBeVisible();
  await expect(tickOf('Plumber')).toBeHidden();
  const dots = page.getByRole('radiogroup', { name: 'Urgency' }).locator('label > span:first-of-type');
  const backgrounds = await dots.evaluateAll((all) => all.map((dot) => getComputedStyle(dot).backgroundColor));
  expect(new Set(backgrounds).size).toBe(2);
  await page.close();
});

test('a job on paper has its words and pictures, and nothing to press', async () => {
  const page = await browser.newPage();
  await page.goto(server.url);
  await signIn(page, demo('tradie'));
  await page.locator('main a[href^="/job/"]').first().click();
  const title = page.getByRole('heading', { level: 1 });
  await expect(title).not.toHaveText('Dashboard');
  await page.getByText('Max budget').waitFor();
  await page.emulateMedia({ media: 'print' });
  await expect(title).toBeVisible();
  await expect(page.getByText('Max budget')).toBeVisible();
  await expect(page.locator('header')).toBeHidden();
  expect(
    await page
      .getByRole('button')
      .filter({ visible: true, hasNot: page.locator('img') })
      .count(),
  ).toBe(0);
  await page.close();
});
