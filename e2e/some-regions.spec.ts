import { chromium, expect, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { launchOptions } from '../scripts/find-chromium.ts';
import { must } from '../shared/lib/must.ts';
import { signedIn } from './account.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { demo, signIn } from './person.ts';
import { test } from './shared-server.ts';

/* A feed that is too large for a phone, made small: more than three jobs are. */

let server: RunningServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  server = await openServer({ FEED_HELD_WHOLE_UP_TO: '3' });
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

const cards = () => page.getByRole('article').getByRole('heading');
/** Only the cards near the screen are in the page. */
const counted = async (words: string) =>
  Number(/^\d+/.exec(await page.getByText(new RegExp(`^\\d+ jobs?${words}`)).innerText())?.[0]);
const elsewhere = () => page.getByText(/Jobs in the regions you work in/);
const open = async (query = '') => {
  await page.goto(`${server.url}/find-jobs?max=50000${query}`);
  await page.getByRole('heading', { level: 1, name: 'Find Jobs' }).waitFor();
};
let own: number;
let there: number;
let first: string;

test('the jobs of one’s own regions are listed, and how many there are elsewhere', async () => {
  await open();
  await expect(elsewhere()).toContainText(/[1-9]\d* jobs? in others/);
  await expect(cards().first()).toBeVisible();
  own = await counted(' on this phone');
  first = await cards().first().innerText();
});

test('a filter on another region brings it, and one’s own are there as they were', async () => {
  await open('&region=Northland');
  await expect(cards().first()).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText(/Fetching jobs in/)).toHaveCount(0);
  there = await counted('');
  await expect(cards().filter({ hasText: first })).toHaveCount(0);
  await open();
  await expect(page.getByText(`${own + there} jobs on this phone`)).toBeVisible();
  await expect(cards().filter({ hasText: first })).toHaveCount(1);
});

test('a job of a region that is not here is answered from its link, and saved for later', async () => {
  const { email, password } = demo('homeowner');
  const owner = await signedIn(server, email, password);
  await owner.post('/api/jobs', {
    title: 'Paint the boat shed',
    description: 'It peels.',
    locationId: 'gisborne/gisborne',
    urgency: 'slow',
    categoryId: 'painter',
    images: [],
  });
  const [job] = (await owner.get<{ id: string; title: string }[]>('/api/jobs?type=my-jobs')).filter(
    ({ title }) => title === 'Paint the boat shed',
  );
  const { id } = must(job, 'the job');
  await page.goto(`${server.url}/job/${id}`);
  await page.getByRole('button', { name: 'Save for later' }).click();
  await page.getByRole('button', { name: 'Saved for later' }).waitFor();
  await page.getByLabel(/Note to the homeowner/).fill('I have a sander.');
  await page.getByRole('button', { name: 'Express Interest' }).click();
  await page.getByText('You have expressed interest in this job').waitFor();
  expect(await owner.get<{ note: string }[]>(`/api/jobs/${id}/interests`)).toMatchObject([
    { note: 'I have a sander.' },
  ]);
});

test('without signal it stays, and a region that was not asked for is said not to be here', async () => {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await context.setOffline(true);
  await open('&region=Northland');
  await expect(cards().first()).toBeVisible();
  await open('&region=Otago');
  await expect(page.getByText(/^Jobs in Otago are not on this phone. They come /)).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('No jobs found so far')).toBeVisible();
  await context.setOffline(false);
  await expect(cards().first()).toBeVisible({ timeout: 60_000 });
  await open();
  await expect(cards().filter({ hasText: first })).toHaveCount(1);
  // The page as it was left comes first.
  await expect.poll(() => counted(' on this phone')).toBeGreaterThan(own + there);
});
