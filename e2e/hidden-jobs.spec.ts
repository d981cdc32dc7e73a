import { chromium, expect, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { launchOptions } from '../scripts/find-chromium.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { demo, signIn } from './person.ts';
import { long } from './test-options.ts';
import { test } from './shared-server.ts';

/* Not Interested: with signal and without, and on the person's other device. */

let server: RunningServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  server = await openServer();
  browser = await chromium.launch(launchOptions());
  context = await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
  page = await context.newPage();
  await page.goto(server.url);
  await signIn(page, demo('tradie'));
});
test.afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const cards = (on: Page) => on.getByRole('article').getByRole('heading');
async function openFirst(): Promise<string> {
  await page.goto(`${server.url}/find-jobs`);
  const title = (await cards(page).first().textContent()) ?? '';
  await cards(page).first().getByRole('link').click();
  await page.getByRole('button', { name: 'Not Interested' }).waitFor();
  return title;
}
const card = (on: Page, title: string) => on.getByRole('article').filter({ hasText: title });

test('with signal the job leaves the list, and Undo brings it back', async () => {
  const title = await openFirst();
  await page.getByRole('button', { name: 'Not Interested' }).click();
  await expect(page.getByText('Job hidden')).toBeVisible();
  await expect(card(page, title)).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(card(page, title)).toHaveCount(1);
});

test('without signal it leaves the list as well; with signal again it is hidden on the other device', async () => {
  const title = await openFirst();
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Not Interested' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Find Jobs' })).toBeVisible();
  await expect(card(page, title)).toHaveCount(0);
  await context.setOffline(false);
  const desktop = await browser.newPage({ viewport: { width: 1_280, height: 800 }, reducedMotion: 'reduce' });
  await desktop.goto(server.url);
  await signIn(desktop, demo('tradie'));
  await desktop.goto(`${server.url}/find-jobs`);
  await expect(cards(desktop).first()).toBeVisible();
  await expect(card(desktop, title)).toHaveCount(0, { timeout: 30_000 });
  await page.getByRole('button', { name: /^Hidden \(\d+\)$/ }).click();
  await expect(card(page, title)).toHaveCount(1);
});

test(
  'a double click on Not Interested beside the list hides one job, and sends nothing to the next',
  long,
  async () => {
    const desktop = await browser.newPage({ viewport: { width: 1_280, height: 800 }, reducedMotion: 'reduce' });
    await desktop.goto(server.url);
    await signIn(desktop, demo('trialing'));
    await desktop.goto(`${server.url}/find-jobs`);
    await expect(cards(desktop).nth(3)).toBeVisible();
    const titles = await cards(desktop).allTextContents();
    await cards(desktop).first().getByRole('link').click();
    const pane = desktop.getByRole('region', { name: 'Job', exact: true });
    await pane.getByRole('button', { name: 'Not Interested' }).dblclick();
    await expect(pane.getByRole('heading', { name: titles[1] ?? '' })).toBeVisible();
    await expect(desktop.getByText('Job hidden')).toBeVisible();
    await desktop.getByRole('button', { name: 'Undo' }).click();
    await expect(cards(desktop).first()).toHaveText(titles[0] ?? '');
    await expect(cards(desktop).nth(1)).toHaveText(titles[1] ?? '');
    // A press that is meant for it counts: later than the second of a double click can come.
    await desktop.waitForTimeout(600);
    await pane.getByRole('button', { name: 'Not Interested' }).click();
    await expect(card(desktop, titles[1] ?? '')).toHaveCount(0);
    await desktop.close();
  },
);
