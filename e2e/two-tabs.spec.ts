import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { signedIn } from './account.ts';
import { isLeading } from './is-leading.ts';
import type { Tab } from './engines/tab.ts';
import type { Device } from './open-device.ts';
import { openPhone } from './open-phone.ts';
import type { RunningServer } from './open-server.ts';
import { openWire, type Wire } from './open-wire.ts';
import { demo, postJob, signIn, untilInstalled } from './person.ts';
import { test } from './shared-server.ts';

/*
 * Two tabs of one person: one of them is the leader, both write, and the work goes on when the leader is closed.
 * And a new build: it waits for the person's tap, in both tabs.
 */

const homeowner = demo('homeowner');

let wire: Wire;
let server: RunningServer;
/** Signed in once: each time takes the server a quarter of a second of computing. */
let api: Awaited<ReturnType<typeof signedIn>>;
let phone: Device<Tab>;
let first: Tab;
let second: Tab;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ shareServer }) => {
  wire = await openWire();
  server = await shareServer();
  wire.leadTo(server.url);
  api = await signedIn(server, homeowner.email, homeowner.password);
  phone = await openPhone(wire.url);
  first = phone.page();
  await signIn(first, homeowner);
  await untilInstalled(phone);
});
test.afterAll(async () => {
  await phone?.close();
  await wire?.close();
});

const leaders = async (...pages: Tab[]) => Promise.all(pages.map(isLeading));

async function onServer(title: string): Promise<number> {
  return (await api.get<{ title: string }[]>('/api/jobs?type=my-jobs')).filter((job) => job.title === title).length;
}

test('of two tabs one is the leader, and what the other writes is sent and shows in both', async () => {
  const title = 'Fix the dripping tap';
  await expect.poll(() => leaders(first)).toEqual([true]);
  second = await phone.newTab('/dashboard');
  await second.getByRole('heading', { name: /Your Posted Jobs \([1-9]/ }).waitFor();
  expect(await leaders(first, second)).toEqual([true, false]);

  await postJob(second, title);
  await second.getByText('Job Posted!').waitFor();
  expect(await onServer(title)).toBe(1);
  expect(await leaders(first, second)).toEqual([true, false]);
  await first.getByRole('link', { name: title }).waitFor();
});

test('the leader is closed, and the other tab takes over', async () => {
  const title = 'Hang the bathroom mirror';
  await first.close();
  await expect.poll(() => leaders(second)).toEqual([true]);
  await postJob(second, title);
  await second.getByText('Job Posted!').waitFor();
  // The words may still be those of the job before.
  await expect.poll(() => onServer(title)).toBe(1);
  first = await phone.newTab('/dashboard');
  await first.getByRole('link', { name: title }).waitFor();
});

test('a new build waits, says so, and is taken only on the tap', async () => {
  const words = "A new version is ready. Reload when you're done.";
  const built = await readFile(join(import.meta.dirname, '../dist/service-worker.js'), 'utf8');
  wire.change('/service-worker.js', `${built}\n// The next build.\n`);
  const markPage = (page: Tab) => page.evaluate(() => void Object.assign(window, { isSamePage: true }));
  const isSamePage = (page: Tab) => page.evaluate(() => 'isSamePage' in window);
  await markPage(first);
  await markPage(second);
  const reload = (page: Tab) => page.getByRole('button', { name: 'Reload' });

  // What the browser does by itself at the next visit, or once a day.
  await second.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
  await second.getByText(words).waitFor();
  await first.getByText(words).waitFor();
  // The work goes on meanwhile.
  const title = 'Sand the window sill';
  await postJob(second, title);
  await second.getByText('Job Posted!').waitFor();
  expect(await Promise.all([first, second].map(isSamePage))).toEqual([true, true]);
  expect(await second.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null)).toBe(true);

  await second.getByRole('link', { name: title }).waitFor();
  await reload(second).click();
  await expect.poll(() => isSamePage(second).catch(() => true)).toBe(false);
  await second.getByRole('link', { name: title }).waitFor();
  expect(await second.getByText(words).count()).toBe(0);
  expect(await second.evaluate(async () => (await navigator.serviceWorker.ready).waiting === null)).toBe(true);

  // The other tab is of the old build now, and still only its person reloads it.
  await first.getByText(words).waitFor();
  expect(await isSamePage(first)).toBe(true);
  await reload(first).click();
  await expect.poll(() => isSamePage(first).catch(() => true)).toBe(false);
  await first.getByRole('link', { name: title }).waitFor();
  expect(await first.getByText(words).count()).toBe(0);
});
