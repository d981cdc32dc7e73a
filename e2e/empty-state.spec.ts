import { chromium, expect, type Browser, type Page } from '@playwright/test';
import { launchOptions } from '../scripts/find-chromium.ts';
import { long, withoutWorker } from './test-options.ts';
import type { RunningServer } from './open-server.ts';
import { demo, signIn } from './person.ts';
import { test } from './shared-server.ts';

test.use(withoutWorker);

/*
 * What stands where there is nothing to see: its words can be read, however long what one can do about it is, and
 * wherever it stands.
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

const widthOf = async (page: Page, heading: string) =>
  (await page.getByRole('heading', { name: heading }).boundingBox())?.width ?? 0;

const linesOf = (page: Page, heading: string) =>
  page
    .getByRole('heading', { name: heading })
    .evaluate((it) =>
      Math.round(it.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(it).lineHeight)),
    );

test('a lapsed tradie on a desktop reads why Find Jobs is empty, beside what is owed', long, async () => {
  const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
  await page.goto(server.url);
  await signIn(page, demo('lapsed'));
  await page.goto(`${server.url}/find-jobs`);
  await page.getByRole('heading', { name: 'Subscription Required' }).waitFor({ state: 'attached' });
  for (const width of [1_024, 1_280, 1_600]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await widthOf(page, 'Subscription Required')).toBeGreaterThan(160);
  }
  await page.close();
});

test('where nothing can be read, that the app could not start is one line, not a column of words', async () => {
  const page = await browser.newPage();
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('The user denied permission to access the database.', 'SecurityError');
    };
  });
  for (const width of [320, 1_280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${server.url}/dashboard`);
    await page.getByRole('heading', { name: "We couldn't start" }).waitFor({ state: 'attached' });
    expect(await linesOf(page, "We couldn't start")).toBe(1);
  }
  await page.close();
});
