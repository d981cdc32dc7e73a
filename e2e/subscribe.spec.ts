import { expect, type Page } from '@playwright/test';
import { signedIn } from './account.ts';
import { deviceContents } from './device-contents.ts';
import { openDevice, type Device } from './open-device.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { chooseTown, openAccountMenu, signUp } from './person.ts';
import { test } from './shared-server.ts';

/*
 * Payment, in a real browser: a homeowner becomes a tradie on the embedded payment pages, and what the subscription
 * gives comes and goes on the open page as the subscription does.
 */

const person = {
  email: 'ngaio.builder@example.nz',
  password: 'rimu-and-totara',
  firstName: 'Ngaio',
  lastName: 'Parker',
};
const business = 'Parker Fencing';

let server: RunningServer;
let phone: Device;
/** A job of the feed that this tradie never answers: it is on the device as long as the feed is. */
let feedTitle: string;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  server = await openServer();
  phone = await openDevice(server.url);
});
test.afterAll(async () => {
  await phone?.close();
  await server?.close();
});

const firstJob = (page: Page) => page.getByRole('main').locator('a[href^="/job/"]').first();
const isOnDevice = async (text: string) => (await deviceContents(phone.page())).includes(text);

/** Presses one of the portal's buttons in a tab of its own and waits for its result. */
async function pressInPortal(portal: Page, button: string, says: string): Promise<void> {
  await portal.getByRole('button', { name: button }).click();
  await portal.getByRole('status').getByText(says).waitFor();
}

async function openPortal(page: Page): Promise<Page> {
  await page.goto(`${server.url}/edit-account`);
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Manage Billing' }).click();
  const portal = await opened;
  await portal.getByRole('heading', { name: 'Your subscription' }).waitFor();
  return portal;
}

test('a homeowner fills in the business, and cancels on the payment page: the draft is kept [§4 subscription]', async () => {
  const page = phone.page();
  await signUp(server, page, person);
  await openAccountMenu(page);
  await page.getByRole('menuitem', { name: 'Become a Tradie' }).click();
  await page.getByRole('heading', { level: 1, name: 'Become a Tradie' }).waitFor();
  const pay = page.getByRole('button', { name: 'Continue to Payment' });
  await page.getByLabel('NZBN').fill('9429040402543');
  await page.getByLabel('Business name').fill(business);
  await page.getByLabel('Business address').fill('4 Cameron Street, Whangārei');
  await page
    .getByRole('group', { name: /Trade categories/ })
    .getByRole('checkbox')
    .first()
    .check({ force: true });
  await page.getByLabel('Contact phone').fill('021 123 4567');
  await page.getByLabel('Company description').fill('Fences and gates, rural and town.');
  await chooseTown(page, /nearest location/i, 'winton');
  expect(await pay.isDisabled()).toBe(true);
  await page.getByRole('checkbox', { name: /I agree/ }).check({ force: true });
  await pay.click();
  await page.getByRole('button', { name: 'Cancel' }).click();

  await page.getByText('Payment Cancelled').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  expect(page.url()).toBe(`${server.url}/dashboard`);
  await page.goto(`${server.url}/become-tradie`);
  await page.getByLabel('Business name').waitFor();
  expect(await page.getByLabel('Business name').inputValue()).toBe(business);
  expect(await page.getByRole('combobox', { name: /nearest location/i }).inputValue()).toBe('Winton');
  expect(await page.getByRole('checkbox', { name: /I agree/ }).isChecked()).toBe(true);
});

test('pays, is welcomed, and sees the jobs [§1, §2 /dashboard, §4 subscription]', async () => {
  const page = phone.page();
  await page.getByRole('button', { name: 'Continue to Payment' }).click();
  const arrived = page.waitForRequest((request) => request.url() === `${server.url}/dashboard?subscription=success`);
  await page.getByRole('button', { name: 'Pay' }).click();
  await arrived;
  await page.getByText('Welcome aboard!').waitFor();
  await expect.poll(() => page.url()).toBe(`${server.url}/dashboard`);
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('dwang-onboarding'))),
  ).toEqual([]);
  await page.getByRole('link', { name: 'Find Jobs' }).click();
  await page.getByRole('heading', { level: 1, name: 'Find Jobs' }).waitFor();
  await firstJob(page).waitFor();
  const api = await signedIn(server, person.email, person.password);
  const me = await api.get<{ isTradie: boolean; subscriptionStatus: string }>('/api/users/me');
  expect([me.isTradie, me.subscriptionStatus]).toEqual([true, 'trialing']);
});

test('expresses interest, and the server has it once', async () => {
  const page = phone.page();
  const jobs = page.getByRole('main').locator('a[href^="/job/"]');
  await jobs.nth(1).waitFor();
  // Read at one instant: the list may still be filling.
  const [answered = '', other = ''] = await jobs.allInnerTexts();
  feedTitle = other;
  expect(feedTitle).not.toBe(answered);
  await expect.poll(() => isOnDevice(feedTitle)).toBe(true);
  await page.getByRole('main').getByRole('link', { name: answered }).first().click();
  await page.getByLabel(/Note to the homeowner/).fill('I can be there on Monday.');
  await page.getByRole('button', { name: 'Express Interest' }).click();
  await page.getByText('You have expressed interest in this job').waitFor();
  const api = await signedIn(server, person.email, person.password);
  const interests = await api.get<{ job: { title: string } }[]>('/api/tradies/me/interests');
  expect(interests.map((interest) => interest.job.title)).toEqual([answered]);
});

test('a failed payment takes the jobs off the open page and off the device, and paying brings them back', async () => {
  const portal = await openPortal(phone.page());
  const page = phone.page();
  await page.goto(`${server.url}/find-jobs`);
  await firstJob(page).waitFor();
  await pressInPortal(portal, 'Fail next payment', 'The payment failed');
  await page.getByText('Subscription Required').waitFor();
  await expect.poll(() => isOnDevice(feedTitle)).toBe(false);

  await pressInPortal(portal, 'Resume subscription', 'active again');
  await page.getByRole('link', { name: feedTitle }).first().waitFor();
  await expect.poll(() => isOnDevice(feedTitle)).toBe(true);
  await portal.close();
});

test('cancelled once it runs on, cancelled twice it ends, without a reload', async () => {
  const portal = await openPortal(phone.page());
  const page = phone.page();
  await page.goto(`${server.url}/find-jobs`);
  await page.evaluate(() => void Object.assign(window, { isSamePage: true }));
  await firstJob(page).waitFor();
  await pressInPortal(portal, 'Cancel subscription', 'runs until the end');
  const api = await signedIn(server, person.email, person.password);
  const status = async () => (await api.get<{ subscriptionStatus: string }>('/api/users/me')).subscriptionStatus;
  expect(await status()).toBe('active');
  expect(await page.getByText('Subscription Required').count()).toBe(0);

  await pressInPortal(portal, 'Cancel subscription', 'has ended');
  await page.getByText('Subscription Required').waitFor();
  await expect.poll(() => isOnDevice(feedTitle)).toBe(false);
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
  expect(await status()).not.toMatch(/active|trialing/);

  // What was answered stays on the dashboard.
  await page.goto(`${server.url}/dashboard`);
  await page.getByRole('heading', { name: 'Your Interested Jobs (1)' }).waitFor();
});

test('from the dashboard it takes three taps at most until jobs are browsed again, and what is owed is said', async () => {
  const page = phone.page();
  await page.getByText(/you owe nothing\. Coming back is \$21\.85 a month, GST included/).waitFor();
  await page.getByRole('button', { name: 'Subscribe Again' }).click();
  await page.getByText('To pay today').waitFor();
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.getByText('Welcome aboard!').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Find Jobs' }).click();
  await expect(firstJob(page)).toBeVisible();
});
