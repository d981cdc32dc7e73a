import { expect } from '@playwright/test';
import { signedIn } from './account.ts';
import type { Tab } from './engines/tab.ts';
import type { Device } from './open-device.ts';
import { longElsewhere } from './test-options.ts';
import { manyJobs } from './many-jobs.ts';
import { openPhone } from './open-phone.ts';
import { demo, signIn } from './person.ts';
import { test } from './shared-server.ts';

/*
 * Twenty thousand jobs in Firefox and WebKit: scrolled to the end, searched, and left and found again.
 * `long-lists.spec.ts` has the rest, in Chromium.
 */

const patient = { timeout: 60_000 };
const words = 'behind the garage';

let address: string;
let phone: Device<Tab>;
let page: Tab;
let jobs: { id: string; title: string; description: string }[];

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  address = await manyJobs();
  const { email, password } = demo('tradie');
  jobs = await (await signedIn({ url: address }, email, password)).get('/api/jobs');
  phone = await openPhone(address);
  page = phone.page();
  await signIn(page, { email, password });
});
test.afterAll(async () => {
  await phone?.close();
});

const rows = () => page.locator('main [aria-posinset]');
const found = (many: number) =>
  page
    .getByText(new RegExp(`^${many.toLocaleString('en-NZ')} jobs?(, |$)`))
    .first()
    .waitFor(patient);
const scrolledTo = () => page.evaluate(() => Math.round(window.scrollY));

test('twenty thousand jobs: a few rows are in the page, and the last of all is reached', async () => {
  expect(jobs.length).toBeGreaterThanOrEqual(20_000);
  await page.goto(`${address}/find-jobs?max=50000`);
  await found(jobs.length);
  await rows().first().waitFor();
  expect(await rows().count()).toBeLessThan(30);
  // Heights of rows that were not drawn yet are estimated, so the end may move away once.
  await expect
    .poll(async () => {
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      return page.locator(`[aria-posinset="${jobs.length}"]`).count();
    }, patient)
    .toBe(1);
  expect(await rows().count()).toBeLessThan(40);
});

test('twenty thousand jobs: a job that was opened from the middle is left for the place in the list where it stood', async () => {
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2));
  const middle = () =>
    page.evaluate(() => {
      const row = [...document.querySelectorAll('main [aria-posinset]')].find(
        (one) => one.getBoundingClientRect().top > window.innerHeight / 4,
      );
      return row?.getAttribute('aria-posinset') ?? '';
    });
  // The rows of the end stand there until the list has heard of the scrolling.
  await expect.poll(async () => Math.abs(Number(await middle()) - jobs.length / 2), patient).toBeLessThan(200);
  const before = await scrolledTo();
  const at = await middle();
  await page.locator(`[aria-posinset="${at}"] a`).first().click();
  await page.getByRole('main').getByRole('button', { name: 'Back', exact: true }).click();
  await page.locator(`[aria-posinset="${at}"] a`).first().waitFor();
  await expect.poll(async () => Math.abs((await scrolledTo()) - before), patient).toBeLessThan(400);
});

test('twenty thousand jobs: words are found as they are typed', longElsewhere, async () => {
  const said = jobs.filter(({ title, description }) => `${title}\n${description}`.toLowerCase().includes(words));
  expect(said.length).toBeGreaterThan(0);
  await page.goto(`${address}/find-jobs?max=50000`);
  await found(jobs.length);
  const opener = page.getByRole('button', { name: /^Filters/ });
  if ((await opener.getAttribute('aria-expanded')) === 'false') await opener.click();
  await page.getByRole('searchbox', { name: 'Search' }).fill(words);
  await found(said.length);
});
