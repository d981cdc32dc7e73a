import { chromium, expect, type Browser, type Locator, type Page } from '@playwright/test';
import { mailTo } from './account.ts';
import { press, tabTo, untilArrived, untilSaid } from './keyboard.ts';
import { withoutWorker } from './test-options.ts';
import { openDesktop } from './open-desktop.ts';
import { launchOptions } from '../scripts/find-chromium.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { test } from './shared-server.ts';

test.use(withoutWorker);

/*
 * From a visitor to a tradie with a profile, without a mouse: signing up, the list of tradies, the business, the
 * payment, the profile, the password and the photos of a job. Every stop is visible, and what happens is announced.
 */

const person = { email: 'ngaio.builder@example.nz', password: 'rimu-and-totara' };
const business = 'Parker Fencing';

let server: RunningServer;
let browser: Browser;
let page: Page;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  server = await openServer();
  browser = await chromium.launch(launchOptions());
  page = await openDesktop(browser, server.url);
});
test.afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const button = (name: string | RegExp) => page.getByRole('button', { name });
const link = (name: string | RegExp) => page.getByRole('link', { name });

async function type(field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}

async function choose(entry: string): Promise<void> {
  await press(page, button('Your account'));
  // By its first letter, which acts only where the focus is.
  await expect.poll(focusedRole).toMatch(/^menu/);
  await page.keyboard.press(entry.slice(0, 1));
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(entry);
  await page.keyboard.press('Enter');
}

/** What is announced with a field that has the focus: its hint, and its error. */
const describes = (field: Locator) =>
  field.evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent)
      .join(' '),
  );

const focusedRole = () => page.evaluate(() => document.activeElement?.getAttribute('role'));

const hasFocusIn = (part: Locator) => part.evaluate((element) => element.contains(document.activeElement));

test('finds tradies by name and by trade, and reads a profile', async () => {
  await press(page, link('Find Tradies'));
  // From one document to another: the browser announces the new page itself.
  await page.waitForURL('**/find-tradies');
  await page.getByRole('listitem').first().waitFor();
  expect(await page.title()).toBe('Find Tradies · Dwang');
  // Read with the page, and not said once more when the app takes it over.
  await page.getByText(/^\d+ tradies$/).waitFor();
  await type(page.getByRole('searchbox', { name: 'Business name' }), 'rangitikei');
  await untilSaid(page, /^1 tradie$/);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await tabTo(page, page.getByRole('checkbox', { name: 'Electrician' }));
  await page.keyboard.press('Space');
  await expect.poll(() => page.url()).toContain('electrician');
  await press(page, link('Harbour Light Electrical'));
  await untilArrived(page, 'Harbour Light Electrical');
  await page.getByText('Sign in to view contact information and connect with this tradie').waitFor();
});

test('signs up: every step says its name and keeps the focus in the dialog', async () => {
  await press(page, link('Login / Sign Up').first());
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await press(page, dialog.getByRole('button', { name: 'Forgot password?' }));
  await untilSaid(page, 'Please enter your email address first to receive a reset link.');
  // The toast is over the dialog and must not be hidden from screen readers.
  expect(await page.locator('[aria-hidden=true] [role=alert], [aria-hidden=true] [role=status]').count()).toBe(0);

  await type(dialog.getByLabel('Email'), person.email);
  await type(dialog.getByLabel('Password'), person.password);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Confirm your email' }).waitFor();
  await untilSaid(page, 'Please confirm your email');
  await expect.poll(() => hasFocusIn(dialog)).toBe(true);
  await press(page, dialog.getByRole('button', { name: "I've Confirmed My Email" }));
  await untilSaid(page, 'Please confirm your email before proceeding');
  const mail = await mailTo(server, person.email, /confirm/i);
  await fetch(mail.links[0] ?? '', { redirect: 'manual' });
  await press(page, dialog.getByRole('button', { name: "I've Confirmed My Email" }));
  await page.getByRole('dialog', { name: 'Complete your profile' }).waitFor();
  await untilSaid(page, 'Email confirmed!');
  await expect.poll(() => hasFocusIn(dialog)).toBe(true);
  await type(dialog.getByLabel('First name'), 'Ngaio');
  await page.keyboard.press('Enter');
  const lastName = dialog.getByLabel('Last name');
  await expect.poll(() => lastName.evaluate((field) => field === document.activeElement)).toBe(true);
  await expect.poll(() => describes(lastName)).toContain('Last name is required');
  await page.keyboard.type('Parker');
  await page.keyboard.press('Enter');
  await untilSaid(page, 'Profile complete!');
  await untilArrived(page, 'Dashboard');
});

test('fills in the business: what is wrong is said at once and leads to its field; then the payment, and the welcome', async () => {
  await choose('Become a Tradie');
  await untilArrived(page, 'Become a Tradie');
  const pay = button('Continue to Payment');
  expect(await pay.isDisabled()).toBe(true);
  expect(await describes(pay)).toContain('To continue: agree to the terms');
  await type(page.getByLabel('NZBN'), '9429040402543');
  await press(page, button('Verify'));
  await untilSaid(page, 'NZBN Verified');
  await type(page.getByLabel('Business name'), business);
  await type(page.getByLabel('Business address'), '4 Cameron Street, Whangārei');
  await tabTo(page, page.getByRole('checkbox', { name: 'Fencing and Gates' }));
  await page.keyboard.press('Space');
  await type(page.getByLabel('Contact phone'), '12345');
  await type(page.getByLabel('Company description'), 'Fences and gates, rural and town.');
  await expect
    .poll(() => describes(page.getByLabel('Contact phone')))
    .toContain('Please enter a valid New Zealand phone number');
  await tabTo(page, page.getByRole('combobox', { name: /nearest location/i }));
  await page.keyboard.type('winton');
  await page
    .getByRole('option', { name: /^Winton/ })
    .first()
    .waitFor();
  await page.keyboard.press('ArrowDown');
  await page.locator('[role=option][data-focused]').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('listbox').waitFor({ state: 'detached' });
  await tabTo(page, page.getByRole('checkbox', { name: /I agree/ }));
  await page.keyboard.press('Space');
  await press(page, pay);
  await untilSaid(page, 'Invalid Phone Number');
  await untilSaid(page, 'One thing to fix');
  await expect.poll(focusedRole).toBe('alert');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => page.getByLabel('Contact phone').evaluate((field) => field === document.activeElement))
    .toBe(true);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('021 123 4567');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Pay' }).waitFor();
  await press(page, page.getByRole('button', { name: 'Pay' }));
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  await untilSaid(page, 'Welcome aboard!');
  // The page is the homeowner's until the phone has the server's answer.
  await link('View Profile').waitFor();
});

test('edits the profile, and hears that it is kept', async () => {
  await press(page, link('View Profile'));
  await untilArrived(page, business);
  await press(page, link('Edit Profile'));
  await untilArrived(page, 'Edit Profile');
  await type(page.getByLabel('Business name'), '');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Enter');
  await untilSaid(page, 'One thing to fix');
  await expect.poll(focusedRole).toBe('alert');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => page.getByLabel('Business name').evaluate((field) => field === document.activeElement))
    .toBe(true);
  await page.keyboard.type('Parker & Sons Fencing');
  await page.keyboard.press('Enter');
  await untilSaid(page, 'Profile Updated');
  await untilArrived(page, 'Parker & Sons Fencing');
});

test('changes the password, and is told what does not match', async () => {
  await choose('Manage Account');
  await untilArrived(page, 'Manage Account');
  await type(page.getByLabel('New password'), 'matai-and-kauri');
  await type(page.getByLabel('Confirm password'), 'matai');
  await page.keyboard.press('Enter');
  await untilSaid(page, 'Passwords do not match');
  const confirm = page.getByLabel('Confirm password');
  await expect.poll(() => confirm.evaluate((field) => field === document.activeElement)).toBe(true);
  await expect.poll(() => describes(confirm)).toContain('Passwords do not match');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('matai-and-kauri');
  await page.keyboard.press('Enter');
  await untilSaid(page, 'Password Updated');
});

test('enlarges a photo of a job, goes on to the next, and comes back to where it was', async () => {
  await press(page, link('Dwang home'));
  await untilArrived(page, 'Dashboard');
  await press(page, link('Find Jobs'));
  await untilArrived(page, 'Find Jobs');
  await type(page.getByRole('searchbox', { name: 'Search' }), 'leaking shower');
  await untilSaid(page, /^1 job$/);
  await press(page, link('Leaking shower, water showing on the ceiling below'));
  await press(page, page.getByRole('link', { name: 'Open', exact: true }));
  await untilArrived(page, 'Leaking shower, water showing on the ceiling below');
  const first = button('Enlarge photo 1');
  await press(page, first);
  await page.getByRole('dialog', { name: /^Photo 1 of/ }).waitFor();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('dialog', { name: /^Photo 2 of/ }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => first.evaluate((element) => element === document.activeElement)).toBe(true);
});
