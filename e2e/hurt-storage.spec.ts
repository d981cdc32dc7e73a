import { expect, test, type CDPSession, type Page } from '@playwright/test';
import { seededRandom } from '../shared/testing/random-source.ts';
import { signedIn } from './account.ts';
import { checkJournal, nothingWrong } from './check-journal.ts';
import { openDevice, type Device } from './open-device.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { beginWriting, countWaiting, openJournal, planChains, type Chain } from './page-writer.ts';
import { demo, giveCredentials, postJob, signIn, untilInstalled } from './person.ts';

/*
 * The phone's own storage fails: the database is deleted under the app, all of the site's storage is cleared, there is no space. The app
 * says so, keeps what is in the form, claims nothing it cannot store, and fetches what the server has.
 */

const homeowner = demo('homeowner');
const quiet = { timeout: 60_000, intervals: [100] };
const cleared = 'This browser has cleared what was saved on this phone';
const noRoom = 'This device has no room left, so this could not be saved.';

const journal = openJournal();
const planned: Chain[] = [];
const faults: string[] = [];
let server: RunningServer;
let phone: Device;
let page: Page;
let browser: CDPSession;
let api: Awaited<ReturnType<typeof signedIn>>;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  server = await openServer();
  phone = await openDevice(server.url);
  page = phone.page();
  page.on('pageerror', (error) => faults.push(String(error)));
  await journal.listenTo(page.context());
  await signIn(page, homeowner);
  await untilInstalled(phone);
  browser = await page.context().newCDPSession(page);
  api = await signedIn(server, homeowner.email, homeowner.password);
});
test.afterAll(async () => {
  await phone?.close();
  await server?.close();
});

const titles = async () => (await api.get<{ title: string }[]>('/api/jobs?type=my-jobs')).map(({ title }) => title);
const onServer = async (title: string) => (await titles()).filter((each) => each === title).length;

/** Writes some jobs and waits until nothing is pending. */
async function write(seed: number, prefix: string): Promise<void> {
  const chains = planChains(seededRandom(seed), prefix, 6);
  planned.push(...chains);
  const saved = () => journal.entries.filter(({ word }) => word === 'saved').length;
  const wanted = saved() + chains.reduce((sum, { steps }) => sum + steps.length, 0);
  await beginWriting(page, chains);
  await journal.untilSaved(wanted);
  await expect.poll(() => countWaiting(page), quiet).toBe(0);
}

/** All that the server has is on the screen again, nothing of it is lost or duplicated, and no error went uncaught. */
async function expectWhole(): Promise<void> {
  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  await page.getByRole('heading', { name: `Your Posted Jobs (${(await titles()).length})` }).waitFor();
  expect(await checkJournal(api, planned, journal.entries, true)).toEqual(nothingWrong);
  expect(faults).toEqual([]);
}

test('the person’s database is deleted under the app: it asks to reload, says what was cleared, and has everything again', async () => {
  await write(1, 'Before it was deleted');
  await page.evaluate(
    (name) =>
      new Promise((resolve, reject) => {
        const deleting = indexedDB.deleteDatabase(name);
        deleting.onsuccess = resolve;
        deleting.onerror = () => reject(deleting.error ?? new Error('not deleted'));
      }),
    `dwang-${api.userId}`,
  );
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByText(cleared).waitFor();
  await expectWhole();
  await write(2, 'After it was deleted');
  await expectWhole();
});

test('the browser clears all of the site’s storage under the open app: it says so, keeps the form, and signing in restores everything', async () => {
  const title = 'Patch the water tank';
  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  await page.getByRole('link', { name: 'Post a New Job' }).click();
  await page.getByLabel('Title').fill(title);
  await browser.send('Storage.clearDataForOrigin', { origin: server.url, storageTypes: 'all' });
  await page.getByText(cleared).waitFor();
  expect(await page.getByLabel('Title').inputValue()).toBe(title);
  await page.getByRole('button', { name: 'Sign In', exact: true }).first().click();
  await page.getByRole('dialog').waitFor();
  await giveCredentials(page, homeowner);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => page.getByLabel('Title').inputValue(), quiet).toBe(title);
  await expectWhole();
  await page.getByRole('link', { name: 'Post a New Job' }).click();
  await expect.poll(() => page.getByLabel('Title').inputValue(), quiet).toBe(title);
  await postJob(page, title);
  await page.getByText('Job Posted!').waitFor();
  expect(await onServer(title)).toBe(1);
  await write(3, 'After it was cleared');
  await expectWhole();
});

test('no space on the phone: the post fails loudly, the form keeps its text, and it is sent when there is space again', async () => {
  const title = 'Clear out the garage';
  const jobs = (await titles()).length;
  await leaveRoom(1);
  await postJob(page, title);
  await page.getByText(noRoom).waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Post Job' }).isEnabled(), quiet).toBe(true);
  expect(await page.getByLabel('Title').inputValue()).toBe(title);
  expect(await page.getByLabel('Description').inputValue()).toBe('As soon as it suits you.');
  expect(await page.getByText('Saved on this phone').count()).toBe(0);
  expect(await titles()).toHaveLength(jobs);

  await leaveRoom(undefined);
  // What the device had no space for is in the form again, all of it.
  await page.getByRole('link', { name: 'Post a New Job' }).click();
  await expect.poll(() => page.getByLabel('Title').inputValue(), quiet).toBe(title);
  await page.getByRole('button', { name: 'Post Job' }).click();
  await page.getByText('Job Posted!').waitFor();
  expect(await onServer(title)).toBe(1);
  await expectWhole();
});

/**
 * Leaves the site this many bytes, or all there is. A browser caches for a while how much space there was, so the app is left until a
 * test write ends as it should.
 */
async function leaveRoom(quotaSize: number | undefined): Promise<void> {
  await page.goto(`${server.url}/health/live`);
  await browser.send('Storage.overrideQuotaForOrigin', {
    origin: server.url,
    ...(quotaSize === undefined ? {} : { quotaSize }),
  });
  await expect
    .poll(() => page.evaluate(writeScratch), { timeout: 90_000, intervals: [1_000] })
    .toBe(quotaSize === undefined ? 'written' : 'QuotaExceededError');
  await page.goto(`${server.url}/dashboard`);
}

/** Runs in the page. */
function writeScratch(): Promise<string> {
  return new Promise((resolve) => {
    const opening = indexedDB.open('room-left');
    opening.onupgradeneeded = () => opening.result.createObjectStore('scratch', { autoIncrement: true });
    opening.onerror = () => resolve(opening.error?.name ?? 'not opened');
    opening.onsuccess = () => {
      const writing = opening.result.transaction('scratch', 'readwrite');
      const end = (how: string) => {
        opening.result.close();
        resolve(how);
      };
      writing.oncomplete = () => end('written');
      writing.onabort = () => end(writing.error?.name ?? 'aborted');
      writing.objectStore('scratch').add('x'.repeat(1_000));
    };
  });
}
