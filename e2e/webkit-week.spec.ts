import { expect } from '@playwright/test';
import type { Tab } from './engines/tab.ts';
import type { Device } from './open-device.ts';
import { openPhone } from './open-phone.ts';
import type { RunningServer } from './open-server.ts';
import { ownHomeowner } from './own-homeowner.ts';
import { giveCredentials, postJob, signIn, untilInstalled, type Credentials } from './person.ts';
import { test } from './shared-server.ts';

/*
 * The week after which WebKit deletes what a site's scripts have stored, in WebKit itself: it deletes the same, and as
 * it does then leaves the cookies, when an answer says `Clear-Site-Data: "storage"`. That it does so by itself after
 * seven days is its makers' word (docs/browsers.md).
 */

let server: RunningServer;
let phone: Device<Tab>;
let homeowner: Credentials;

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
  await page.getByRole('heading', { name: 'Your Posted Jobs (1)' }).waitFor();
  expect(await page.getByRole('link', { name: /Paint the shed/ }).count()).toBe(0);
});
