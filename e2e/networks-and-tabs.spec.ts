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
import { long, longElsewhere } from './test-options.ts';
import { test } from './shared-server.ts';

/*
 * Networks that are neither up nor down: a server that dies, a proxy that says 503, a connection that accepts
 * everything and answers nothing, an answer lost after the server has committed, a café's log-in page. Each time the
 * app opens from the device, nothing written is lost, and it arrives once.
 *
 * Then two tabs of the same person: one of them is the leader, both write, and the work goes on when the leader is
 * closed. And a new build: it waits for the person's tap, in both tabs. They are in this file because the start of a
 * browser, the sign-in and the worker's installation cost more than they do.
 */

const homeowner = demo('homeowner');
/** A write that failed a few times may be on a long back-off; it is sent without a tap all the same. */
const whenHealed = { timeout: 90_000 };

let wire: Wire;
let server: RunningServer;
/** Signed in once: each time takes the server a quarter of a second of computing. */
let api: Awaited<ReturnType<typeof signedIn>>;
let phone: Device<Tab>;
let oldTitle: string;
let first: Tab;
let second: Tab;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ shareServer }) => {
  wire = await openWire();
  server = await shareServer();
  wire.leadTo(server.url);
  api = await signedIn(server, homeowner.email, homeowner.password);
  phone = await openPhone(wire.url);
  await signIn(phone.page(), homeowner);
  const job = phone.page().getByRole('main').locator('a[href^="/job/"]').first();
  oldTitle = await job.innerText();
  await untilInstalled(phone);
});
test.afterAll(async () => {
  await phone?.close();
  await wire?.close();
});
test.beforeEach(() => wire.become('through'));

const bar = () => phone.page().getByRole('status');
const saved = () => phone.page().getByText('Saved on this phone', { exact: false });

/** How often the server has a job of this title. */
async function onServer(title: string): Promise<number> {
  return (await api.get<{ title: string }[]>('/api/jobs?type=my-jobs')).filter((job) => job.title === title).length;
}

/** Nothing is pending on the phone, and the page says nothing of it. */
async function untilSent(title: string): Promise<void> {
  const page = phone.page();

  await page.goto(`${wire.url}/waiting`);

  await page.getByText('Everything has been sent').waitFor(whenHealed);
  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  await page.getByRole('link', { name: title }).waitFor();
}

/** The app, opened anew, from the device alone. */
async function reopen(): Promise<void> {
  const page = await phone.reopenTab('/dashboard');
  await page.getByRole('link', { name: oldTitle }).first().waitFor();
}

test('a server that dies in the middle loses nothing', long, async () => {
  const title = 'Lay the hearth again';
  await server.stop('SIGKILL');
  await postJob(phone.page(), title);
  await saved().first().waitFor();
  await reopen();
  await bar()
    .getByText(/Can't reach Dwang/)
    .waitFor();
  await phone.page().getByRole('link', { name: title }).waitFor();
  await server.start();
  await untilSent(title);
  expect(await onServer(title)).toBe(1);
});

test('a proxy that says 503 is waited out [§offline]', long, async () => {
  const title = 'Straighten the letterbox';
  wire.become('busy');
  await postJob(phone.page(), title);
  await saved().first().waitFor();
  await reopen();
  await bar().getByText("Can't reach Dwang", { exact: false }).waitFor();
  expect(await onServer(title)).toBe(0);
  wire.become('through');

  await untilSent(title);
  expect(await onServer(title)).toBe(1);
});

test(
  'a connection that accepts everything and answers nothing: the app opens, says so, and keeps what is written',
  longElsewhere,
  async () => {
    const title = 'Rehang the barn door';
    wire.become('silent');
    await reopen();
    await bar()
      .getByText(/Slow connection|Can't reach Dwang/)
      .waitFor();
    await postJob(phone.page(), title);
    await saved().first().waitFor();
    expect(await onServer(title)).toBe(0);
    wire.become('through');

    await untilSent(title);
    expect(await onServer(title)).toBe(1);
  },
);

test('an answer that is lost after the server has done the work: the job is there once', longElsewhere, async () => {
  const title = 'Mend the hen house';
  wire.become('one-way');
  await postJob(phone.page(), title);
  await expect.poll(() => onServer(title), whenHealed).toBe(1);
  await phone.page().getByRole('link', { name: 'Dashboard' }).first().click();
  await phone
    .page()
    .getByText(/Sending|Saved on this phone/)
    .first()
    .waitFor();
  wire.become('through');

  await untilSent(title);
  expect(await onServer(title)).toBe(1);
});

test('a café’s log-in page in the place of every answer changes nothing', longElsewhere, async () => {
  const title = 'Oil the deck before Easter';
  wire.become('portal');
  await postJob(phone.page(), title);
  await saved().first().waitFor();
  await expect.poll(() => wire.asked().filter((path) => path === '/api/sync').length, whenHealed).toBeGreaterThan(1);
  await reopen();
  const page = phone.page();
  await bar().getByText("Can't reach Dwang", { exact: false }).waitFor();
  expect(await page.getByText('free Wi-Fi').count()).toBe(0);
  expect(await page.getByText('Sign in again', { exact: false }).count()).toBe(0);
  await page.getByRole('link', { name: title }).waitFor();

  await page.goto(`${wire.url}/waiting`);

  await page.getByText(`New job “${title}”`).waitFor();
  expect(await onServer(title)).toBe(0);
  wire.become('through');

  await untilSent(title);
  expect(await onServer(title)).toBe(1);
});

const leaders = async (...pages: Tab[]) => Promise.all(pages.map(isLeading));

test('of two tabs one is the leader, and what the other writes is sent and shows in both', async () => {
  const title = 'Fix the dripping tap';
  first = phone.page();
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
