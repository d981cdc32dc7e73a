import { expect, test } from '@playwright/test';
import type { Tab } from './engines/tab.ts';
import type { Device } from './open-device.ts';
import { openPhone } from './open-phone.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { demo, giveCredentials } from './person.ts';

/*
 * A page that is left while its person's database is made. WebKit keeps such a page, asleep, with the database half made, and the next
 * page waited for it.
 */

let server: RunningServer;
let phone: Device<Tab>;

test.beforeAll(async () => {
  server = await openServer();
  phone = await openPhone(server.url);
});
test.afterAll(async () => {
  await phone?.close();
  await server?.close();
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

test('a page that is left right after the sign-in, while the person’s database is made, does not keep the next page from opening it', async () => {
  const page = phone.page();
  await page.evaluate(leaveHalfway);
  await giveCredentials(page, demo('homeowner'));
  await page.getByRole('heading', { level: 1, name: 'Find Tradies' }).waitFor();
  await page.goto(`${server.url}/dashboard`);
  const jobs = page.getByRole('heading', { name: /^Your Posted Jobs \([1-9]/ });
  // Its failure says what the page shows.
  await jobs.waitFor();
  expect(await jobs.count()).toBe(1);
});
