import { expect } from '@playwright/test';
import { endEverySession, mailTo, signedIn } from './account.ts';
import { deviceContents } from './device-contents.ts';
import type { Tab } from './engines/tab.ts';
import type { Device } from './open-device.ts';
import { openPhone } from './open-phone.ts';
import type { RunningServer } from './open-server.ts';
import { firstTitle, ownHomeowner } from './own-homeowner.ts';
import { askToLogOut, demo, giveCredentials, postJob, signIn, untilInstalled, type Credentials } from './person.ts';
import { longElsewhere } from './test-options.ts';
import { test } from './shared-server.ts';

/*
 * Signing in and out on one browser: a mistyped and a forgotten password, logging out with unsent work, what is left
 * for the next person (nothing), and a session that was ended somewhere else.
 */

const firstName = 'Marama';
const newPassword = 'second-password';
const sentTitle = 'Paint the porch at the bach';
const unsentTitle = 'Clear the gutters before winter';

let server: RunningServer;
let phone: Device<Tab>;
let person: Credentials;
let userId: string;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ shareServer }) => {
  server = await shareServer();
  person = await ownHomeowner(server, firstName);
  ({ userId } = await signedIn(server, person.email, person.password));
  phone = await openPhone(server.url);
});
test.afterAll(async () => {
  await phone?.close();
});

/**
 * Which of these are anywhere on the device. Compared as booleans: a failure that prints a whole phone cannot be read.
 */
async function foundOnDevice(texts: readonly string[]): Promise<string[]> {
  const contents = await deviceContents(phone.page());
  return texts.filter((text) => contents.includes(text));
}

const databases = () => phone.page().evaluate(async () => (await indexedDB.databases()).map(({ name }) => name ?? ''));

test('logging out without signal names what was not sent, asks, and leaves nothing behind', async () => {
  const page = phone.page();
  await signIn(page, person);
  await untilInstalled(phone);
  await postJob(page, sentTitle);
  await page.getByText('Job Posted!').waitFor();
  await page.getByRole('link', { name: sentTitle }).waitFor();
  await phone.setSignal(false);
  await postJob(page, unsentTitle);
  await page.getByText('Saved on this phone', { exact: false }).first().waitFor();

  await askToLogOut(page);
  const question = page.getByRole('alertdialog');
  await question.getByText(`New job “${unsentTitle}”`).waitFor();
  await question.getByRole('button', { name: 'Stay logged in' }).click();
  await question.waitFor({ state: 'hidden' });
  expect(await foundOnDevice([sentTitle, unsentTitle])).toEqual([sentTitle, unsentTitle]);

  await askToLogOut(page);
  await question.getByRole('button', { name: 'Log out and lose them' }).click();
  await page.getByRole('link', { name: 'Login / Sign Up' }).first().waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/');
  expect(await foundOnDevice([sentTitle, unsentTitle, person.email, firstName, userId])).toEqual([]);
  expect((await databases()).filter((name) => name.includes(userId))).toEqual([]);
  await phone.setSignal(true);
});

test('[I13] the next person on this browser sees nothing of the one before, nor the other way round', async () => {
  const page = phone.page();
  const other = demo('homeowner');
  const { userId: otherId } = await signedIn(server, other.email, other.password);
  await signIn(page, other);
  await page.getByRole('heading', { name: /Your Posted Jobs \([1-9]/ }).waitFor();
  expect(await page.getByText(sentTitle).count()).toBe(0);
  expect(await foundOnDevice([sentTitle, person.email, userId])).toEqual([]);
  const theirTitle = await page.getByRole('main').locator('a[href^="/job/"]').first().innerText();

  await askToLogOut(page);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log Out' }).click();
  await signIn(page, person);
  await page.getByRole('link', { name: sentTitle }).waitFor();
  expect(await page.getByText(theirTitle).count()).toBe(0);
  expect(await page.getByText(unsentTitle).count()).toBe(0);
  expect(await foundOnDevice([theirTitle, other.email, otherId])).toEqual([]);
});

test(
  '[C10] a session ended elsewhere leaves everything readable, keeps what waits, and asks to sign in again',
  longElsewhere,
  async () => {
    const page = phone.page();
    await endEverySession(server, person.email, person.password);
    await page.reload();
    await page.getByRole('link', { name: sentTitle }).waitFor();
    await page.getByText('Sign in again to get new jobs and answers.').waitFor();
    await postJob(page, unsentTitle);
    await page.getByText('Sign in again to send 1 change.').waitFor();
    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    await page.getByRole('link', { name: sentTitle }).waitFor();
    await page.getByRole('link', { name: unsentTitle }).waitFor();

    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.getByRole('dialog').waitFor();
    await giveCredentials(page, person);
    const api = await signedIn(server, person.email, person.password);
    const titles = async () =>
      (await api.get<{ title: string }[]>('/api/jobs?type=my-jobs')).map((job) => job.title).toSorted();
    await expect.poll(titles).toEqual([firstTitle, sentTitle, unsentTitle].toSorted());
    await expect.poll(() => page.getByText('Sign in again', { exact: false }).count()).toBe(0);
  },
);

test('a wrong password is said and asks for no new account', longElsewhere, async () => {
  const page = phone.page();
  await askToLogOut(page);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log Out' }).click();
  await page.getByRole('link', { name: 'Login / Sign Up' }).first().waitFor();

  await giveCredentials(page, { ...person, password: 'not-the-password' });
  await page.getByText('Invalid login credentials').waitFor();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('Email').inputValue()).toBe(person.email);
  expect(await dialog.getByRole('button', { name: 'Continue' }).isVisible()).toBe(true);
});

test(
  'a forgotten password is replaced by a mailed link, and the old one does not work any more [§4 start-up, §4 sign-in, §7]',
  longElsewhere,
  async () => {
    const page = phone.page();
    await page.getByRole('button', { name: 'Forgot password?' }).click();
    await page.getByText('Password reset sent').waitFor();
    const mail = await mailTo(server, person.email, /password/i);
    const link = mail.links[0];
    if (link === undefined) throw new Error('The mail about the password has no link in it.');
    await page.goto(link);
    await page.getByRole('heading', { name: 'Reset Password' }).waitFor();
    await page.getByLabel('New password').fill(newPassword);
    await page.getByLabel('Confirm password').fill(newPassword);
    await page.getByRole('button', { name: 'Update Password' }).click();
    await page.getByText('Password Updated').waitFor();
    // The link's session must not stay in the address, from where it could be copied or shared.
    expect(page.url()).not.toContain('access_token');

    await expect(signedIn(server, person.email, person.password)).rejects.toThrow(/400/);
    await askToLogOut(page);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Log Out' }).click();
    await giveCredentials(page, person);
    await page.getByText('Invalid login credentials').waitFor();
    await giveCredentials(page, { ...person, password: newPassword });
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  },
);
