import type { IncomingMessage } from 'node:http';
import { expect } from '@playwright/test';
import { authCall, mailTo, signedIn } from './account.ts';
import { deviceContents } from './device-contents.ts';
import { freezeBetweenTransactions } from './freeze.ts';
import type { Tab } from './engines/tab.ts';
import { long } from './test-options.ts';
import type { Device } from './open-device.ts';
import { openPhone } from './open-phone.ts';
import type { RunningServer } from './open-server.ts';
import { openWire, type Wire } from './open-wire.ts';
import { askToLogOut, demo, postJob, signIn, untilInstalled } from './person.ts';
import { test } from './shared-server.ts';

/*
 * One browser, two people (S9, I17): the tab of one sleeps with a pending post, the other signs in by a mailed link in
 * another tab, the first tab wakes. And a mailed link, opened while another person is signed in, must ask first. In
 * Firefox and WebKit no tab can be put to sleep: there it is awake all the time, and what it sends is turned away until
 * the other has signed in.
 */

const homeowner = demo('homeowner');
const newcomer = { email: 'wiremu.tane@example.nz', password: 'newcomer-password' };
const waitingTitle = 'Lift the sagging garage door';
const newcomersTitle = 'Only for the newcomer’s eyes';

let server: RunningServer;
let wire: Wire;
let phone: Device<Tab>;
let sleeper: Tab;
let other: Tab;
let ownerId: string;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ shareServer }) => {
  server = await shareServer();
  ({ userId: ownerId } = await signedIn(server, homeowner.email, homeowner.password));
  wire = await openWire();
  wire.leadTo(server.url);
  phone = await openPhone(wire.url);
  sleeper = phone.page();
  await signIn(sleeper, homeowner);
  await untilInstalled(phone);
  await sleeper.getByRole('heading', { name: /Your Posted Jobs \([1-9]/ }).waitFor();
});
test.afterAll(async () => {
  await phone?.close();
  await wire?.close();
});

/** Whether this would send or get the homeowner's changes. */
const isOwners = ({ url, headers }: IncomingMessage) =>
  url === '/api/sync' && Buffer.from(headers.authorization?.split('.')[1] ?? '', 'base64url').includes(ownerId);

async function linkTo(address: string, subject: RegExp): Promise<string> {
  const [link] = (await mailTo(server, address, subject)).links;
  if (link === undefined) throw new Error('The mail has no link in it.');
  return link;
}

const titlesOf = async ({ email, password }: { email: string; password: string }) => {
  const api = await signedIn(server, email, password);
  return (await api.get<{ title: string }[]>('/api/jobs?type=my-jobs')).map(({ title }) => title);
};

/** From the mail straight to the app, by the address that the phone knows. */
async function addressBehind(link: string): Promise<string> {
  const arrived = (await fetch(link, { redirect: 'manual' })).headers.get('location') ?? '';
  expect(arrived).toContain('access_token');
  return arrived.replace(/^https?:\/\/[^/]+/, wire.url);
}

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
  await authCall(server, 'signup', newcomer);
  const link = await linkTo(newcomer.email, /confirm/i);
  // Without the server, so that the homeowner's tab, which is still without signal, sends nothing meanwhile.
  other = await phone.newTab(await addressBehind(link));
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
  await authCall(server, `recover?redirect_to=${encodeURIComponent(`${server.url}/edit-account`)}`, {
    email: newcomer.email,
  });
  const link = await linkTo(newcomer.email, /password/i);

  const thaw = await freezeBetweenTransactions(sleeper, other);
  wire.refuse(isOwners);
  await phone.setSignal(true);
  await other.goto(await addressBehind(link));
  await other.getByRole('alertdialog').getByRole('button', { name: 'Switch account' }).click();
  await other.getByRole('heading', { name: 'Reset Password' }).waitFor();
  await expect.poll(() => other.getByLabel('Email').first().inputValue()).toBe(newcomer.email);
  // From here on the line carries everything.
  wire.refuse();
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
  expect(await titlesOf(homeowner)).not.toContain(waitingTitle);
  expect(await inDatabase(sleeper)).toEqual({ waiting: [waitingTitle], users: [ownerId] });
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

test(
  '[C10] a person who logs out while another tab of theirs sleeps can sign in again at once, and finds their jobs',
  long,
  async () => {
    await sleeper.goto(`${wire.url}/dashboard`);
    await sleeper.getByRole('heading', { name: /Your Posted Jobs \([1-9]/ }).waitFor();
    const thaw = await freezeBetweenTransactions(sleeper, other);
    await askToLogOut(other);
    await other.getByRole('alertdialog').getByRole('button', { name: 'Log Out' }).click();
    await other.getByRole('link', { name: 'Login / Sign Up' }).first().waitFor();
    await signIn(other, homeowner);
    await other.getByRole('link', { name: waitingTitle }).waitFor();
    expect((await inDatabase(other)).users).toEqual([ownerId]);
    await thaw();
  },
);
