import { expect, type CDPSession, type Page } from '@playwright/test';
import { must } from '../shared/lib/must.ts';
import { signedIn } from './account.ts';
import { long } from './test-options.ts';
import { openDevice, type Device } from './open-device.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { demo, signIn } from './person.ts';
import {
  coverBelow,
  landscape,
  notch,
  goToSettled,
  portrait,
  seenWithMessage,
  tooSmall,
  underNotch,
  waysUp,
} from './phone-shape.ts';
import { test } from './shared-server.ts';

/* As `phone-shape.spec.ts`, on the screens of a tradie; and the message at a field that is refused. */

let server: RunningServer;
let phone: Device;
let page: Page;
let browser: CDPSession;
let routes: string[];

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  server = await openServer();
  const tradie = await signedIn(server, demo('tradie').email, demo('tradie').password);
  const [job] = await tradie.get<{ id: string }[]>('/api/jobs');
  const { id: business } = await tradie.get<{ id: string }>('/api/tradies/me');
  routes = [
    '/dashboard',
    '/find-jobs',
    `/job/${must(job, 'an open job').id}`,
    '/edit-tradie',
    '/edit-account',
    `/tradie/${business}`,
    '/waiting',
  ];
  phone = await openDevice(server.url);
  page = phone.page();
  browser = await page.context().newCDPSession(page);
  await signIn(page, demo('tradie'));
});
test.afterAll(async () => {
  await phone?.close();
  await server?.close();
});

const openRoute = (path: string) => goToSettled(page, `${server.url}${path}`);

test('a tradie: no field is of a size that an iPhone zooms into when it is tapped', long, async () => {
  const small: string[] = [];
  for (const path of routes) {
    await openRoute(path);
    small.push(...(await page.evaluate(tooSmall, 16)));
  }
  expect(small).toEqual([]);
});

test('a tradie: held sideways nothing to read or to press is under the notch or the home indicator', long, async () => {
  await page.setViewportSize(landscape);
  await browser.send('Emulation.setSafeAreaInsetsOverride', { insets: notch });
  const hidden: string[] = [];
  for (const path of routes) {
    await openRoute(path);
    hidden.push(...(await page.evaluate(underNotch, notch)));
  }
  await browser.send('Emulation.setSafeAreaInsetsOverride', { insets: {} });
  await page.setViewportSize(portrait);
  expect(hidden).toEqual([]);
});

test('a tradie: every screen leads up by a control of its own', long, async () => {
  for (const path of routes.filter((one) => one !== '/dashboard')) {
    await openRoute(path);
    const { links, buttons } = await page.evaluate(waysUp);
    expect(links.includes('/dashboard') || buttons.length > 0, path).toBe(true);
  }
});

test(
  'a tradie: an iPhone’s keyboard covers neither a field of the profile nor what is wrong with it',
  long,
  async () => {
    await openRoute('/edit-tradie');
    const name = page.getByLabel('Business name');
    await name.fill('');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
    const fields = await page
      .locator(':is(main input[type=text], main textarea, main input:not([type])):visible')
      .all();
    expect(fields.length).toBeGreaterThan(2);
    for (const field of fields) {
      await page.evaluate(coverBelow, portrait.height);
      await field.evaluate((element) => {
        window.scrollTo(0, element.getBoundingClientRect().bottom + window.scrollY - window.innerHeight + 80);
      });
      await field.focus();
      await page.evaluate(coverBelow, 844 - 380);
      await expect.poll(() => field.evaluate(seenWithMessage)).toBe('seen');
    }
  },
);
