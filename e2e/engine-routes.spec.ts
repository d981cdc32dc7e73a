import { expect } from '@playwright/test';
import { must } from '../shared/lib/must.ts';
import { signedIn } from './account.ts';
import type { Tab } from './engines/tab.ts';
import { goToAsLeft, untilKept } from './kept-here.ts';
import { long, longElsewhere } from './test-options.ts';
import type { Device } from './open-device.ts';
import { openPhone } from './open-phone.ts';
import type { RunningServer } from './open-server.ts';
import { askToLogOut, demo, signIn } from './person.ts';
import { expectUpright } from './upright-photo.ts';
import { axeFinds } from './visual/examine.ts';
import { untilStill } from './visual/until-still.ts';
import { test } from './shared-server.ts';

/*
 * axe on every route in Firefox and WebKit, on a phone, in light: what differs from Chromium, where `looks-*.spec.ts`
 * has every state, is how an engine computes roles, names, sizes and colours. And what differs in a field that grows,
 * and in what a kill leaves of `localStorage`.
 */

let server: RunningServer;
let phone: Device<Tab>;
let page: Tab;
let ownJob: string;
let openJob: string;
let business: string;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ shareServer }) => {
  server = await shareServer();
  phone = await openPhone(server.url);
  page = phone.page();
  const owner = await signedIn(server, demo('homeowner').email, demo('homeowner').password);
  const [own] = (await owner.get<{ id: string; status: string }[]>('/api/jobs?type=my-jobs')).filter(
    ({ status }) => status === 'active',
  );
  const tradie = await signedIn(server, demo('tradie').email, demo('tradie').password);
  // One of the demonstration's, with photos: other files have posted jobs too.
  const open = (await tradie.get<{ id: string; images: string[] }[]>('/api/jobs')).find(
    ({ images }) => images.length > 0,
  );
  ({ id: business } = await tradie.get<{ id: string }>('/api/tradies/me'));
  [ownJob, openJob] = [must(own, 'an open job').id, must(open, 'a job with photos').id];
});
test.afterAll(async () => {
  await phone?.close();
});

/** As a link within the app leads there: a document and its scripts each time would take most of the test. */
async function goWithin(path: string): Promise<void> {
  await page.evaluate((to) => {
    document.querySelector('main h1')?.setAttribute('data-left', '');
    history.pushState(null, '', to);
  }, path);
  await page.locator('main h1:not([data-left])').first().waitFor();
}

async function goAnew(path: string): Promise<void> {
  await page.goto(`${server.url}${path}`);
  await page.locator('main h1').first().waitFor();
}

async function expectAccessible(go: (path: string) => Promise<void>, paths: readonly string[]): Promise<void> {
  const found: string[] = [];
  for (const path of paths) {
    await go(path);
    await untilStill(page);
    // A page that sends the person elsewhere is not the one that is looked at.
    const here = await page.evaluate(() => location.pathname + location.search);
    if (here !== path) found.push(`${path}: led to ${here}`);
    found.push(...(await axeFinds(page, 'everything')).map((one) => `${path}: ${one}`));
  }
  expect(found).toEqual([]);
}

test('axe finds nothing on the pages of a visitor', longElsewhere, () =>
  expectAccessible(goAnew, [
    '/',
    '/legal',
    // The document, and the app.
    '/find-tradies',
    '/find-tradies?sort=z-a',
    `/tradie/${business}`,
    '/post-job',
    '/nowhere',
  ]),
);

test('a photo that was taken with the phone held upright stands upright', async () => {
  await page.goto(`${server.url}/`);
  await signIn(page, demo('homeowner'));
  await page.goto(`${server.url}/post-job`);
  await expectUpright(page);
});

test('axe finds nothing on the pages of a homeowner', long, () =>
  expectAccessible(goWithin, [
    '/dashboard',
    '/post-job',
    `/job/${ownJob}`,
    `/edit-job/${ownJob}`,
    '/waiting',
    '/edit-account',
    '/become-tradie',
  ]),
);

test('axe finds nothing on the pages of a tradie', async () => {
  await askToLogOut(page);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log Out' }).click();
  // The log-out ends with a page of its own: what is typed before it is gone with the one before.
  await page.getByRole('heading', { level: 1, name: /^Connecting Homeowners/ }).waitFor();
  await signIn(page, demo('tradie'));
  await expectAccessible(goWithin, ['/find-jobs', `/job/${openJob}`, '/edit-tradie', '/edit-account', '/dashboard']);
});

test('the jobs as they were left are in the document at the next start, and make way for the app’s own', async () => {
  await page.goto(`${server.url}/find-jobs`);
  await page.getByRole('article').first().waitFor();
  await untilKept(page);
  await goToAsLeft(() => page.goto(`${server.url}/find-jobs`), page);
  await expect.poll(() => page.locator('#kept').count()).toBe(0);
  await page.locator('#root article').first().waitFor();
});

test('a note of many lines is read to its end: its field grows, or scrolls where the engine has none that grows', async () => {
  await page.goto(`${server.url}/job/${openJob}`);
  const lines = Array.from({ length: 40 }, (_none, at) => `Line ${at}`);
  await page.getByLabel(/^Note to the homeowner/).fill(lines.join('\n'));
  const end = await page.evaluate(() => {
    const field = document.querySelector('main textarea')!;
    const grows = CSS.supports('field-sizing', 'content');
    const before = field.clientHeight;
    field.scrollTop = field.scrollHeight;
    return {
      grows,
      before,
      isAtEnd: field.scrollTop + field.clientHeight >= field.scrollHeight - 1,
      moved: field.scrollTop,
    };
  });
  expect(end.isAtEnd).toBe(true);
  expect(end.grows || end.moved > 0).toBe(true);
  expect(end.before).toBeGreaterThan(44);
});

test(
  'the text size, chosen as the browser is killed, is kept or the usual one, and can be chosen again',
  long,
  async () => {
    const size = () => page.evaluate(() => document.documentElement.getAttribute('data-text'));
    const choose = async () => {
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByRole('menuitemradio', { name: 'Largest' }).click();
      await expect.poll(size).toBe('largest');
    };
    await page.goto(`${server.url}/dashboard`);
    await choose();
    await phone.kill();
    page = await phone.start('/dashboard');
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    // Firefox writes what is in localStorage some seconds later.
    expect(['usual', 'largest']).toContain(await size());
    await choose();
  },
);
