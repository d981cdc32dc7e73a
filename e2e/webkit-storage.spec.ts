import { expect } from '@playwright/test';
import { listWrittenAt } from './engines/tear-caches.ts';
import type { Tab } from './engines/tab.ts';
import type { Device } from './open-device.ts';
import { openPhone } from './open-phone.ts';
import type { RunningServer } from './open-server.ts';
import { ownHomeowner } from './own-homeowner.ts';
import { giveCredentials, postJob, signIn, untilInstalled, type Credentials } from './person.ts';
import { test } from './shared-server.ts';

/*
 * What WebKit alone does with what a site has stored. It keeps the list of the site's caches in one file, which it
 * writes anew whenever a cache is made or deleted. And after a week it deletes what a site's scripts have stored: it
 * deletes the same, and as it does then leaves the cookies, when an answer says `Clear-Site-Data: "storage"`. That it
 * does so by itself after seven days is its makers' word (docs/browsers.md).
 */

/** Caches that are made when a person signs in, or before. */
const cacheNames = () =>
  window.caches.keys().then((names) => names.map((name) => name.replace(/(?<=spare-).*/, 'theirs')).toSorted());
/** How many things the outbox backup holds. */
const backedUp = async () => {
  const name = (await window.caches.keys()).find((one) => one.includes('spare'));
  return name === undefined ? 0 : (await (await window.caches.open(name)).keys()).length;
};

let server: RunningServer;
let phone: Device<Tab>;
let homeowner: Credentials;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ shareServer }) => {
  server = await shareServer();
  homeowner = await ownHomeowner(server, 'Ngaio');
  phone = await openPhone(server.url);
  await signIn(phone.page(), homeowner);
  await untilInstalled(phone);
});
test.afterAll(async () => {
  await phone?.close();
});

test('from the sign-in on WebKit does not write its list of caches again, so that no kill can tear it while something waits', async () => {
  const page = phone.page();
  await expect.poll(() => page.evaluate(cacheNames)).toContain('dwang-shell-outline');
  const [names, before] = [await page.evaluate(cacheNames), await listWrittenAt(phone.profile)];
  await phone.setSignal(false);
  await postJob(page, 'Mend the torn list');
  await expect.poll(() => page.evaluate(backedUp)).toBe(1);
  await phone.setSignal(true);
  await expect.poll(() => page.evaluate(backedUp)).toBe(0);
  // Logos, and photos of the jobs.
  await page.getByRole('link', { name: 'Tradies' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Find Tradies' }).waitFor();
  await expect.poll(() => page.locator('main img').count()).toBeGreaterThan(0);
  expect(await page.evaluate(cacheNames)).toEqual(names);
  expect(await listWrittenAt(phone.profile)).toBe(before);
});

/** Runs in the page. `dwang-kept` is the name in shared/lib/kept-note.ts. */
const hasKeptNote = () => document.cookie.includes('dwang-kept=');

test('a job waits without signal, and WebKit deletes all after seven days: the person is warned before, and told after that it had not been sent', async () => {
  // A person whose phone had no signal from the first minute on has no cookie that could tell them anything.
  await phone.page().waitForFunction(hasKeptNote, undefined, { polling: 100 });
  await phone.setSignal(false);
  const page = await phone.reopenTab('/post-job');
  await postJob(page, 'Paint the shed before winter');
  await page.getByText("Keep this page open until it's sent").first().waitFor();
  await page.goto(`${server.url}/waiting`);
  await page.getByText(/^Safari deletes what a website has saved after seven days/).waitFor();

  // Of the site, and without the app in it: nothing is sent with the signal.
  await page.goto('about:blank');
  await phone.setSignal(true);
  await page.goto(`${server.url}/robots.txt`);
  await phone.clearStorage();
  await page.goto(`${server.url}/dashboard`);
  await page.getByText('This browser has cleared what was saved on this phone').waitFor();
  await page.getByText(/had not been sent\. Look through what you did since \d+ \w+ 20\d\d\./).waitFor();
  await page.getByRole('button', { name: 'Sign In', exact: true }).first().click();
  await page.getByRole('dialog').waitFor();
  await giveCredentials(page, homeowner);
  // What was sent before is there.
  await page.getByRole('heading', { name: 'Your Posted Jobs (2)' }).waitFor();
  expect(await page.getByRole('link', { name: /Paint the shed/ }).count()).toBe(0);
});
