import { expect } from '@playwright/test';
import { listWrittenAt } from './engines/tear-caches.ts';
import type { Tab } from './engines/tab.ts';
import type { Device } from './open-device.ts';
import { openPhone } from './open-phone.ts';
import type { RunningServer } from './open-server.ts';
import { demo, postJob, signIn, untilInstalled } from './person.ts';
import { test } from './shared-server.ts';

/* WebKit keeps the list of a site's caches in one file, which it writes anew whenever a cache is made or deleted. */

/** Caches that are made when a person signs in, or before. */
const cacheNames = () =>
  window.caches.keys().then((names) => names.map((name) => name.replace(/(?<=spare-).*/, 'theirs')).toSorted());
/** How many things the outbox backup holds. */
const backedUp = async () => {
  const name = (await window.caches.keys()).find((one) => one.includes('spare'));
  return name === undefined ? 0 : (await (await window.caches.open(name)).keys()).length;
};

let server: RunningServer;
let phone: Device<Tab>;

test.beforeAll(async ({ shareServer }) => {
  server = await shareServer();
  phone = await openPhone(server.url);
  await signIn(phone.page(), demo('homeowner'));
  await untilInstalled(phone);
});
test.afterAll(async () => {
  await phone?.close();
});

test('from the sign-in on WebKit does not write its list of caches again, so that no kill can tear it while something waits', async () => {
  const page = phone.page();
  await expect.poll(() => page.evaluate(cacheNames)).toContain('dwang-shell-outline');
  const [names, before] = [await page.evaluate(cacheNames), await listWrittenAt(phone.profile)];
  await phone.setSignal(false);
  await postJob(page, 'Mend the torn list');
  await expect.poll(() => page.evaluate(backedUp)).toBe(1);
  await phone.setSignal(true);
  await expect.poll(() => page.evaluate(backedUp)).toBe(0);
  // Logos, and photos of the jobs.
  await page.getByRole('link', { name: 'Tradies' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Find Tradies' }).waitFor();
  await expect.poll(() => page.locator('main img').count()).toBeGreaterThan(0);
  expect(await page.evaluate(cacheNames)).toEqual(names);
  expect(await listWrittenAt(phone.profile)).toBe(before);
});
