import { expect } from '@playwright/test';
import type { Tab } from './engines/tab.ts';
import type { Device } from './open-device.ts';
import { openPhone } from './open-phone.ts';
import type { RunningServer } from './open-server.ts';
import { askToLogOut, demo, giveCredentials, signIn, untilInstalled } from './person.ts';
import { longElsewhere } from './test-options.ts';
import { test } from './shared-server.ts';

/*
 * WebKit keeps a page that is left, asleep, with what it has begun in the storage, and the pages after it waited for
 * that without end. The app ends what it knows of as the page goes; here a page holds what the app knows nothing of.
 */

let server: RunningServer;
let phone: Device<Tab>;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ shareServer }) => {
  server = await shareServer();
  phone = await openPhone(server.url);
  await signIn(phone.page(), demo('homeowner'));
  await untilInstalled(phone);
});
test.afterAll(async () => {
  await phone?.close();
});

/** Runs in the page: leaves it in the moment in which the browser asks what the person's database shall hold. */
function leaveHalfway(): void {
  const { open } = IDBFactory.prototype;
  IDBFactory.prototype.open = function (name, version) {
    const opening = open.call(this, name, version);
    if (/^dwang-[0-9a-f]{8}-/.test(name))
      opening.addEventListener('upgradeneeded', () => window.location.assign('/find-tradies'));
    return opening;
  };
}

/** Runs in the page: writes into each database of the site, and never ends it. */
async function holdAll(): Promise<void> {
  const names = (await indexedDB.databases()).flatMap(({ name }) => (name?.startsWith('dwang-') ? [name] : []));
  const held = names.map(
    (name) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.addEventListener('error', () => reject(opening.error ?? new Error(name)));
        opening.addEventListener('success', () => {
          const [store = ''] = opening.result.objectStoreNames;
          const entries = opening.result.transaction(opening.result.objectStoreNames, 'readwrite').objectStore(store);
          const goOn = () => {
            resolve();
            entries.count().addEventListener('success', goOn);
          };
          goOn();
        });
      }),
  );
  await Promise.all(held);
}

/** How many lists of posted jobs the page shows, once there is one. Its failure says what the page shows. */
async function jobLists(page: Tab): Promise<number> {
  const jobs = page.getByRole('heading', { name: /^Your Posted Jobs \([1-9]/ });
  await jobs.waitFor();
  return jobs.count();
}

test(
  'a page that is left in the middle of writing, for one that is not the app’s, does not keep the next one from its storage',
  longElsewhere,
  async () => {
    const page = phone.page();
    await page.evaluate(holdAll);
    await page.goto(`${server.url}/api/docs`);
    await page.goto(`${server.url}/dashboard`);
    expect(await jobLists(page)).toBe(1);
  },
);

test(
  'a page that is left in the middle of writing, for another one of the app, does not keep that from its storage, without signal either',
  longElsewhere,
  async () => {
    const page = phone.page();
    await page.evaluate(holdAll);
    await phone.setSignal(false);
    // Another address: a page in whose place the same one comes is not kept anyhow.
    await page.goto(`${server.url}/waiting`);
    const sent = page.getByText('Everything has been sent');
    await sent.waitFor();
    expect(await sent.count()).toBe(1);
  },
);

test(
  'a page that is left right after the sign-in, while the person’s database is made, does not keep the next page from opening it',
  longElsewhere,
  async () => {
    await phone.close();
    phone = await openPhone(server.url);
    const page = phone.page();
    await page.evaluate(leaveHalfway);
    await giveCredentials(page, demo('homeowner'));
    await page.getByRole('heading', { level: 1, name: 'Find Tradies' }).waitFor();
    await page.goto(`${server.url}/dashboard`);
    expect(await jobLists(page)).toBe(1);
  },
);

/** Runs in the page: what of a person is on this device. */
async function leftHere(): Promise<string[]> {
  const names = (await indexedDB.databases()).map(({ name = '' }) => name);
  return [...names.filter((name) => /^dwang-[0-9a-f]{8}-/.test(name)), ...(localStorage['dwang-here'] ? ['mark'] : [])];
}

test('[I13] a page that slept while its person logged out in another tab wakes without them, and brings nothing of theirs back', async () => {
  await phone.close();
  phone = await openPhone(server.url);
  const page = phone.page();
  await signIn(page, demo('homeowner'));
  await untilInstalled(phone);
  await page.goto(`${server.url}/edit-account`);
  await page.getByLabel('First Name').waitFor();
  await page.evaluate(() => {
    addEventListener('pagehide', ({ persisted }) => persisted && (sessionStorage['slept'] = 'yes'));
    const look = () => {
      const isSeen = getComputedStyle(document.documentElement).visibility === 'visible';
      if (sessionStorage['slept'] && isSeen) sessionStorage['seen'] = document.body.innerText;
      requestAnimationFrame(look);
    };
    look();
  });
  await page.goto(`${server.url}/api/docs`);
  const other = await phone.newTab('/dashboard');
  await askToLogOut(other);
  await other.getByRole('alertdialog').getByRole('button', { name: 'Log Out' }).click();
  await other.getByRole('link', { name: 'Login / Sign Up' }).first().waitFor();
  await expect.poll(() => other.evaluate(leftHere)).toEqual([]);
  await page.goBack();
  await page.getByRole('link', { name: 'Login / Sign Up' }).first().waitFor();
  expect(await page.evaluate(() => ['slept', 'seen'].map((name) => sessionStorage.getItem(name)))).toEqual([
    'yes',
    null,
  ]);
  await expect.poll(() => page.evaluate(leftHere)).toEqual([]);
  const next = await phone.newTab('/');
  await next.getByRole('link', { name: 'Login / Sign Up' }).first().waitFor();
  expect(await next.getByText('This browser has cleared').count()).toBe(0);
  await expect.poll(() => next.evaluate(leftHere)).toEqual([]);
});
