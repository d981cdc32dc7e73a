import { setTimeout as sleep } from 'node:timers/promises';
import { expect, type Page } from '@playwright/test';
import { seededRandom } from '../shared/testing/random-source.ts';
import { signedIn } from './account.ts';
import { checkJournal, checkPhotos, nothingWrong, withPhoto } from './check-journal.ts';
import type { Tab } from './engines/tab.ts';
import type { Device } from './open-device.ts';
import { engineOfRun, openPhone } from './open-phone.ts';
import type { RunningServer } from './open-server.ts';
import { openWire, type Wire } from './open-wire.ts';
import { ownHomeowner } from './own-homeowner.ts';
import { longElsewhere } from './test-options.ts';
import { beginWriting, countUnsent, countWaiting, createJournal, planChains, type Chain } from './page-writer.ts';
import { giveCredentials, postJob, signIn, untilInstalled, type Credentials } from './person.ts';
import { test } from './shared-server.ts';

/*
 * What each engine's disk keeps. All of the browser's processes are killed at once, now right after a write was shown
 * as saved and now in the middle of many; nothing is sent between, so that what was saved is nowhere but on that disk.
 * `nothing-lost.spec.ts` has the faults of the network beside it.
 *
 * Then that storage itself fails: the database is deleted under the app, all of the site's storage is cleared, there is
 * no space. The app says so, keeps what is in the form, claims nothing it cannot store, and fetches what the server
 * has.
 */

const isLong = process.env['TEST_LONG'] === '1';
const quiet = { timeout: 90_000, intervals: [100] };
const cleared = 'This browser has cleared what was saved on this phone';
/** What Firefox and WebKit let the site store in all, in bytes: Firefox’s least is 10 MB. */
const room = 12_000_000;
const noRoom = 'This device has no room left, so this could not be saved.';

const journal = createJournal();
const planned: Chain[] = [];
const errors: string[] = [];
let wire: Wire;
let server: RunningServer;
let homeowner: Credentials;
let phone: Device<Tab>;
let page: Tab;
let api: Awaited<ReturnType<typeof signedIn>>;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ shareServer }) => {
  wire = await openWire();
  server = await shareServer();
  wire.leadTo(server.url);
  homeowner = await ownHomeowner(server, 'Mere');
  phone = await openPhone(wire.url, '/', journal.hear, room);
  lookAt(phone.page());
  await signIn(page, homeowner);
  await untilInstalled(phone);
  api = await signedIn(server, homeowner.email, homeowner.password);
});
test.afterAll(async () => {
  await phone?.close();
  await wire?.close();
});

function lookAt(tab: Tab): void {
  page = tab;
  if (isChromium(tab)) tab.on('pageerror', (error) => errors.push(String(error)));
}

const saved = () => journal.entries.filter(({ word }) => word === 'saved').length;

const titles = async () => (await api.get<{ title: string }[]>('/api/jobs?type=my-jobs')).map(({ title }) => title);
const onServer = async (title: string) => (await titles()).filter((each) => each === title).length;

/** Writes some jobs and waits until nothing is pending. */
async function write(seed: number, prefix: string): Promise<void> {
  const chains = planChains(seededRandom(seed), prefix, 6);
  planned.push(...chains);
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
  expect(errors).toEqual([]);
}

test('a browser that is killed, after "Saved on this phone" and in the middle of writing: what was called saved is there, photos too, and arrives once', async () => {
  test.setTimeout(1_800_000);
  // Firefox and WebKit are killed after “Saved on this phone” in the story too, twice.
  const [first, kills] = isLong ? [0, 30] : engineOfRun() === 'chromium' ? [0, 2] : [1, 2];
  const missing: string[] = [];
  const kept: { writes: number; photos: number }[] = [];
  for (let kill = first; kill < kills; kill += 1) {
    wire.become('closed');
    const random = seededRandom(500 + kill);
    const before = saved();
    const isMidWrite = kill % 2 === 1;
    // With photos in two of four kills: in the one job that was saved, or in every fourth of the many.
    const chains = planChains(random, `Kill ${kill}`, isMidWrite ? 200 : 1, kill % 4 < 2 ? 4 : Infinity);
    planned.push(...chains);
    await beginWriting(page, chains);
    await journal.untilSaved(before + 1 + (isMidWrite ? random.below(20) : 0));
    if (isMidWrite) await sleep(random.below(25));
    await phone.kill();
    const shown = saved() - before;
    lookAt(await phone.start('/waiting'));
    const photos = withPhoto(chains, journal.entries).length;
    const there = await countUnsent(page);
    kept.push({ writes: shown, photos });
    if (there.writes < shown || there.photos < photos)
      missing.push(
        `kill ${kill}: ${shown} and ${photos} photos shown as saved, ${there.writes} and ${there.photos} there`,
      );
    // All of it reaches the server before the next kill.
    wire.become('through');
    await expect.poll(() => countUnsent(page), quiet).toEqual({ writes: 0, photos: 0 });
  }
  const sum = (of: 'writes' | 'photos') => kept.reduce((all, each) => all + each[of], 0);
  process.stdout.write(
    `${kills - first} kills, ${sum('writes')} writes shown as saved, ${sum('photos')} with a photo in ${kept.filter(({ photos }) => photos > 0).length} kills; missing: ${missing.length}\n`,
  );
  expect(missing).toEqual([]);
  expect(sum('photos')).toBeGreaterThanOrEqual(Math.min(2, kills - first));
  expect(journal.entries.filter(({ word }) => word === 'failed' || word === 'rejected')).toEqual([]);
  expect(await checkJournal(api, planned, journal.entries, true)).toEqual(nothingWrong);
  expect(await checkPhotos(api, planned, journal.entries)).toEqual([]);
});

test(
  'the person’s database is deleted under the app: it asks to reload, says what was cleared, and has everything again',
  longElsewhere,
  async () => {
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
    await page.evaluate(() => void Object.assign(window, { isOld: true }));
    await page.getByRole('button', { name: 'Reload' }).click();
    // On a busy machine the page that goes can still be read, and pressed, for a while.
    await page.waitForFunction(() => !('isOld' in window), undefined, { polling: 100 });
    await page.getByText(cleared).waitFor();
    // Else the next test would take this notice for its own.
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expectWhole();
    await write(2, 'After it was deleted');
    await expectWhole();
  },
);

test('the browser clears all of the site’s storage under the open app: it says so, keeps the form, and signing in restores everything', async () => {
  const title = 'Patch the water tank';
  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  await page.getByRole('link', { name: 'Post a New Job' }).click();
  await page.getByLabel('Title').fill(title);
  await phone.clearStorage();
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
  // The app was cleared with the rest: an installation that the want of room ends would give some of it back.
  await page.goto(`${wire.url}/dashboard`);
  await untilInstalled(phone);
  await leaveRoom('none');
  await postJob(page, title);
  await page.getByText(noRoom).waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Post Job' }).isEnabled(), quiet).toBe(true);
  expect(await page.getByLabel('Title').inputValue()).toBe(title);
  expect(await page.getByLabel('Description').inputValue()).toBe('As soon as it suits you.');
  expect(await page.getByText('Saved on this phone').count()).toBe(0);
  expect(await titles()).toHaveLength(jobs);

  await leaveRoom('plenty');
  // What the device had no space for is in the form again, all of it.
  await page.getByRole('link', { name: 'Post a New Job' }).click();
  await expect.poll(() => page.getByLabel('Title').inputValue(), quiet).toBe(title);
  await page.getByRole('button', { name: 'Post Job' }).click();
  await page.getByText('Job Posted!').waitFor();
  expect(await onServer(title)).toBe(1);
  await expectWhole();
});

const isChromium = (_tab: Tab): _tab is Page => engineOfRun() === 'chromium';

/** The site may store no more, or what it may at other times. The app is left meanwhile. */
async function leaveRoom(has: 'none' | 'plenty'): Promise<void> {
  // Not JSON: Firefox shows that in a page of its own.
  await page.goto(`${wire.url}/robots.txt`);
  if (isChromium(page)) await limitChromium(page, has);
  else if (has === 'plenty') await page.evaluate(makeRoom);
  else await fillWhole();
  await page.goto(`${wire.url}/dashboard`);
  // Room comes back after the last round too, as the app opens its databases. A WebKit that has none may open no other.
  if (!isChromium(page) && has === 'none') await fillWhole();
}

/** A database that is closed gives room back a moment later: there is none only once a round has found none. */
async function fillWhole(): Promise<void> {
  const fill = () =>
    page.evaluate(fillUp).catch((error: unknown) => (isWithoutRoom(error) ? 0 : Promise.reject(error)));
  while ((await fill()) > 0) await sleep(1_000);
}

const isWithoutRoom = (error: unknown) => /quota|not enough|no space|full/i.test(String(error));

/** Chromium caches for a while how much space there was, so this waits until a test write ends as it should. */
async function limitChromium(open: Page, has: 'none' | 'plenty'): Promise<void> {
  const browser = await open.context().newCDPSession(open);
  await browser.send('Storage.overrideQuotaForOrigin', {
    origin: wire.url,
    ...(has === 'none' ? { quotaSize: 1 } : {}),
  });
  await expect
    .poll(() => open.evaluate(writeScratch), { timeout: 90_000, intervals: [1_000] })
    .toBe(has === 'plenty' ? 'written' : 'QuotaExceededError');
}

/** Runs in the page: stores until not even a kilobyte finds room. Returns how many bytes found some. */
async function fillUp(): Promise<number> {
  const opening = indexedDB.open('fills-up', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore('filling', { autoIncrement: true });
  const db = await new Promise<IDBDatabase>((resolve, reject) => {
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error ?? new Error('not opened'));
  });
  const add = (bytes: number) =>
    new Promise<boolean>((resolve) => {
      const writing = db.transaction('filling', 'readwrite');
      writing.oncomplete = () => resolve(true);
      writing.onabort = () => resolve(false);
      const values = writing.objectStore('filling');
      try {
        for (let left = bytes; left > 0; left -= 65_536)
          values.add(crypto.getRandomValues(new Uint8Array(Math.min(left, 65_536))));
      } catch {
        // In Firefox the transaction after one that found no room takes nothing.
        resolve(false);
      }
    });
  let stored = 0;
  for (let bytes = 2 ** 20; bytes >= 2 ** 10; bytes /= 2) while (await add(bytes)) stored += bytes;
  db.close();
  return stored;
}

/** Runs in the page. */
function makeRoom(): Promise<void> {
  return new Promise((resolve, reject) => {
    const deleting = indexedDB.deleteDatabase('fills-up');
    deleting.onsuccess = () => resolve();
    deleting.onerror = () => reject(deleting.error ?? new Error('not deleted'));
  });
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
