import { expect, type Page } from '@playwright/test';
import { countCookies, maxCounted } from '../shared/lib/kept-note.ts';
import { openDevice, type Device } from './open-device.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { askToLogOut, demo, giveCredentials, postJob, signIn, untilInstalled } from './person.ts';
import { long } from './test-options.ts';
import { test } from './shared-server.ts';

/*
 * Safari, not installed: after seven days without a visit it deletes all that the site's scripts have stored, and
 * leaves the cookies that the server has set (docs/browsers.md). Chromium says here that it is that Safari, and deletes
 * the same. WebKit itself is in `webkit-storage.spec.ts`.
 */

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1';
const cleared = 'This browser has cleared what was saved on this phone';
const unsent =
  /^Up to 2 things that you saved here had not been sent. Look through what you did since \d+ \w+ 20\d\d\./;

let server: RunningServer;
let phone: Device;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  server = await openServer();
  phone = await openDevice(server.url, '/robots.txt');
  await phone
    .page()
    .context()
    .addInitScript((userAgent) => {
      Object.defineProperty(navigator, 'userAgent', { get: () => userAgent });
      Object.defineProperty(navigator, 'vendor', { get: () => 'Apple Computer, Inc.' });
    }, iphone);
  await phone.page().goto(server.url);
});
test.afterAll(async () => {
  await phone?.close();
  await server?.close();
});

const cookies = async () =>
  (await phone.page().context().cookies())
    .map(({ name }) => name)
    .filter((name) => name === 'dwang-kept' || name === 'dwang-sent')
    .toSorted();

/** How many of the server's cookies are left that count what waits. */
const counting = async () =>
  (await phone.page().context().cookies()).filter(({ name }) => countCookies().includes(name)).length;

/** A week passes in which the site is not visited, and the person opens it again at `path`. */
async function passWeek(path: string): Promise<Page> {
  // Not of the site, and the app is not open when there is signal again.
  await phone.page().goto('about:blank');
  const browser = await phone.page().context().newCDPSession(phone.page());
  await browser.send('Storage.clearDataForOrigin', {
    origin: server.url,
    storageTypes: 'indexeddb,local_storage,cache_storage,service_workers,file_systems',
  });
  await phone.setSignal(true);
  return phone.reopenTab(path);
}

/** Runs in the page: pixels between the last notice and the page. */
function gapBelowNotice(): number {
  const main = document.querySelector('main')!;
  const notice = main.previousElementSibling!.lastElementChild!;
  return main.getBoundingClientRect().top - notice.getBoundingClientRect().bottom;
}

test('all was sent before the week: the landing page says that the browser has cleared, and nothing of what was lost', async () => {
  await signIn(phone.page(), demo('homeowner'));
  await untilInstalled(phone);
  await expect.poll(cookies).toEqual(['dwang-kept', 'dwang-sent']);
  const page = await passWeek('/');
  await page.getByText(cleared).waitFor();
  expect(await page.getByText(/had (not )?been sent/).count()).toBe(0);
  await page.getByRole('heading', { level: 1 }).waitFor();
  // The notice does not lie against the plate that follows it.
  await expect.poll(() => page.evaluate(gapBelowNotice)).toBeGreaterThanOrEqual(12);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByRole('dialog').waitFor();
  await giveCredentials(page, demo('homeowner'));
  await page.getByRole('heading', { name: /^Your Posted Jobs \([1-9]/ }).waitFor();
  expect(await page.getByText(cleared).count()).toBe(0);
});

test(
  'two jobs wait, without signal: the person is warned before, told after, with their number and the day, and again once they are signed in',
  long,
  async () => {
    await untilInstalled(phone);
    await expect.poll(cookies).toEqual(['dwang-kept', 'dwang-sent']);
    await phone.setSignal(false);
    const page = await phone.reopenTab('/post-job');
    await postJob(page, 'Oil the deck before the rain');
    await page.getByText('Saved on this phone').first().waitFor();
    await expect(page.getByText("Keep this page open until it's sent").first()).toBeVisible();
    await page.goto(`${server.url}/post-job`);
    await postJob(page, 'And the gate');
    await expect.poll(cookies).toEqual(['dwang-kept']);
    await expect.poll(() => counting()).toBe(maxCounted - 1);
    await page.goto(`${server.url}/waiting`);
    await page.getByText(/^Safari deletes what a website has saved after seven days/).waitFor();

    const after = await passWeek('/dashboard');
    await after.getByText(cleared).waitFor();
    await after.getByText(unsent).waitFor();
    await after.getByRole('button', { name: 'Sign In', exact: true }).first().click();
    await after.getByRole('dialog').waitFor();
    await giveCredentials(after, demo('homeowner'));
    await after.getByRole('heading', { name: /^Your Posted Jobs \([1-9]/ }).waitFor();
    const told = after.getByText(unsent);
    await told.waitFor();
    await after.getByRole('button', { name: 'Dismiss' }).first().click();
    await expect(told).toHaveCount(0);
  },
);

test('a person who logs out, also without signal, is not told later that something was cleared', async () => {
  await expect.poll(cookies).toEqual(['dwang-kept', 'dwang-sent']);
  await phone.setSignal(false);
  await askToLogOut(phone.page());
  await phone.page().getByRole('alertdialog').getByRole('button', { name: 'Log Out' }).click();
  await phone
    .page()
    .getByRole('heading', { level: 1, name: /^Connecting Homeowners/ })
    .waitFor();
  await expect.poll(cookies).toEqual([]);
  await phone.setSignal(true);
});
