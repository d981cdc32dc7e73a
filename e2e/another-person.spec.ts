import { expect } from '@playwright/test';
import { mailTo, signedIn } from './account.ts';
import { deviceContents } from './device-contents.ts';
import { freezeBetweenTransactions } from './freeze.ts';
import type { Tab } from './engines/tab.ts';
import type { Device } from './open-device.ts';
import { engineOfRun, openPhone } from './open-phone.ts';
import type { RunningServer } from './open-server.ts';
import { askToLogOut, demo, postJob, signIn, untilInstalled } from './person.ts';
import { test } from './shared-server.ts';

/*
 * One browser, two people (S9, I17): the tab of one sleeps with a pending post, the other signs in by a mailed link in
 * another tab, the first tab wakes. And a mailed link, opened while another person is signed in, must ask first.
 */

const homeowner = demo('homeowner');
const newcomer = { email: 'wiremu.tane@example.nz', password: 'newcomer-password' };
const waitingTitle = 'Lift the sagging garage door';
const newcomersTitle = 'Only for the newcomer’s eyes';

let server: RunningServer;
let phone: Device<Tab>;
let sleeper: Tab;
let other: Tab;
let ownerId: string;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ shareServer }) => {
  server = await shareServer();
  ({ userId: ownerId } = await signedIn(server, homeowner.email, homeowner.password));
  phone = await openPhone(server.url);
  sleeper = phone.page();
  await signIn(sleeper, homeowner);
  await untilInstalled(phone);
  await sleeper.getByRole('heading', { name: /Your Posted Jobs \([1-9]/ }).waitFor();
});
test.afterAll(async () => {
  await phone?.close();
});

async function authCall(path: string, body: object): Promise<void> {
  const { supabaseAnonKey: apikey } = (await (await fetch(`${server.url}/api/config`)).json()) as {
    supabaseAnonKey: string;
  };
  const answer = await fetch(`${server.url}/auth/v1/${path}`, {
    method: 'POST',
    headers: { apikey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

async function linkTo(address: string, subject: RegExp): Promise<string> {
  const [link] = (await mailTo(server, address, subject)).links;
  if (link === undefined) throw new Error('The mail has no link in it.');
  return link;
}

const titlesOf = async ({ email, password }: { email: string; password: string }) => {
  const api = await signedIn(server, email, password);
  return (await api.get<{ title: string }[]>('/api/jobs?type=my-jobs')).map(({ title }) => title);
};

/** What the homeowner's own database holds: titles of pending posts, and account rows. */
function inDatabase(page: Tab): Promise<{ waiting: string[]; users: string[] }> {
  return page.evaluate(async (name) => {
    const finished = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('IndexedDB request failed'));
      });
    const db = await finished(indexedDB.open(name));
    try {
      const stores = db.transaction(['outbox', 'users']);
      const outbox = (await finished(stores.objectStore('outbox').getAll())) as { args: { title: string } }[];
      return {
        waiting: outbox.map(({ args }) => args.title),
        users: (await finished(stores.objectStore('users').getAllKeys())) as string[],
      };
    } finally {
      db.close();
    }
  }, `dwang-${ownerId}`);
}

test('[S9] a link for another account asks, names what is unsent, and staying changes nothing', async () => {
  await phone.setSignal(false);
  await postJob(sleeper, waitingTitle);
  await sleeper.getByText('Saved on this phone', { exact: false }).first().waitFor();
  await authCall('signup', newcomer);
  const link = await linkTo(newcomer.email, /confirm/i);
  // From the mail straight to the app, so that the homeowner's tab, which is still without signal, sends nothing
  // meanwhile.
  const arrived = (await fetch(link, { redirect: 'manual' })).headers.get('location') ?? '';
  expect(arrived).toContain('access_token');

  other = await phone.newTab(arrived.replace(/^https?:\/\/[^/]+/, server.url));
  const question = other.getByRole('alertdialog');
  await question.getByText(newcomer.email).waitFor();
  await question.getByText(`New job “${waitingTitle}”`).waitFor();
  await other.keyboard.press('Escape');
  await question.waitFor({ state: 'hidden' });
  await expect.poll(() => other.url()).not.toContain('access_token');
  expect(await inDatabase(other)).toEqual({ waiting: [waitingTitle], users: [ownerId] });
});

test('[S9][I17] a tab that slept while another person signed in by a mailed link sends nothing of its own as theirs, and applies nothing of theirs', async () => {
  const newcomersApi = await signedIn(server, newcomer.email, newcomer.password);
  await newcomersApi.post('/api/users', { email: newcomer.email, firstName: 'Wiremu', lastName: 'Tane' });
  await newcomersApi.post('/api/jobs', {
    title: newcomersTitle,
    description: 'Private.',
    locationId: 'southland/winton',
    urgency: 'slow',
    categoryId: 'builder',
  });
  await authCall(`recover?redirect_to=${encodeURIComponent(`${server.url}/edit-account`)}`, { email: newcomer.email });
  const link = await linkTo(newcomer.email, /password/i);

  const thaw = await freezeBetweenTransactions(sleeper, other, `dwang-${ownerId}`);
  await phone.setSignal(true);
  // In Firefox and WebKit no tab can be put to sleep: there it sends what is its own as soon as it may, as its own.
  const slept = engineOfRun() === 'chromium';
  await expect.poll(async () => slept || (await inDatabase(other)).waiting.length === 0).toBe(true);
  await other.goto(link);
  await other.getByRole('alertdialog').getByRole('button', { name: 'Switch account' }).click();
  await other.getByRole('heading', { name: 'Reset Password' }).waitFor();
  await expect.poll(() => other.getByLabel('Email').first().inputValue()).toBe(newcomer.email);
  await thaw();
  // What a browser tells a tab that becomes visible again; this one, driven from outside, counts as visible all the
  // time.
  await sleeper.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

  await sleeper.getByText(`This page is now ${newcomer.email}’s`).waitFor();
  expect(await sleeper.getByText(waitingTitle).count()).toBe(0);
  await sleeper.getByRole('link', { name: 'Dashboard' }).first().click();
  await sleeper.getByRole('link', { name: newcomersTitle }).waitFor();
  await sleeper.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect.poll(() => titlesOf(newcomer)).toEqual([newcomersTitle]);
  expect((await titlesOf(homeowner)).includes(waitingTitle)).toBe(!slept);
  expect(await inDatabase(sleeper)).toEqual({ waiting: slept ? [waitingTitle] : [], users: [ownerId] });
});

test('[C10][I17] the second person’s log-out deletes nothing of the first, whose outbox is sent, once and as theirs, when they come back', async () => {
  await askToLogOut(other);
  await other.getByRole('alertdialog').getByText('Everything has been sent.').waitFor();
  await other.getByRole('alertdialog').getByRole('button', { name: 'Log Out' }).click();
  // The landing page comes when the device is emptied, the link as soon as the session is over.
  await expect.poll(() => new URL(other.url()).pathname).toBe('/');
  const left = await deviceContents(other);
  expect([newcomersTitle, newcomer.email, waitingTitle].map((text) => left.includes(text))).toEqual([
    false,
    false,
    true,
  ]);

  await signIn(other, homeowner);
  await expect.poll(async () => (await titlesOf(homeowner)).filter((title) => title === waitingTitle).length).toBe(1);
  expect(await titlesOf(newcomer)).toEqual([newcomersTitle]);
  await expect.poll(async () => (await inDatabase(other)).waiting).toEqual([]);
});

test('[C10] a person who logs out while another tab of theirs sleeps can sign in again at once, and finds their jobs', async () => {
  await sleeper.goto(`${server.url}/dashboard`);
  await sleeper.getByRole('heading', { name: /Your Posted Jobs \([1-9]/ }).waitFor();
  const thaw = await freezeBetweenTransactions(sleeper, other, `dwang-${ownerId}`);
  await askToLogOut(other);
  await other.getByRole('alertdialog').getByRole('button', { name: 'Log Out' }).click();
  await other.getByRole('link', { name: 'Login / Sign Up' }).first().waitFor();
  await signIn(other, homeowner);
  await other.getByRole('link', { name: waitingTitle }).waitFor();
  expect((await inDatabase(other)).users).toEqual([ownerId]);
  await thaw();
});
