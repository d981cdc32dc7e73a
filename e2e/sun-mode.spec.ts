import { expect } from '@playwright/test';
import type { Tab } from './engines/tab.ts';
import type { Device } from './open-device.ts';
import { openPhone } from './open-phone.ts';
import type { RunningServer } from './open-server.ts';
import { askToLogOut, demo, openAccountMenu, signIn, untilInstalled } from './person.ts';
import { long } from './test-options.ts';
import { test } from './shared-server.ts';

/*
 * Sun mode and the size of the text: one tap in the person's menu, there before the first paint also without signal,
 * and gone with the person.
 */

let server: RunningServer;
let phone: Device<Tab>;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ shareServer }) => {
  server = await shareServer();
  phone = await openPhone(server.url);
});
test.afterAll(async () => {
  await phone?.close();
});

const looks = () =>
  phone
    .page()
    .evaluate(() => [
      getComputedStyle(document.body).backgroundColor,
      getComputedStyle(document.body).color,
      getComputedStyle(document.documentElement).fontSize,
    ]);
const sunny = ['rgb(255, 255, 255)', 'rgb(0, 0, 0)'];

test('one tap in the menu makes everything black on white, another makes the text larger, and the menu stays open', async () => {
  const page = phone.page();
  await signIn(page, demo('tradie'));
  await untilInstalled(phone);
  await openAccountMenu(page);
  await page.getByRole('menuitemcheckbox', { name: 'Sun mode' }).click();
  await expect.poll(looks).toEqual([...sunny, '16px']);
  await page.getByRole('menuitemradio', { name: 'Largest' }).click();
  await expect.poll(looks).toEqual([...sunny, '22.4px']);
});

test('white on white, what belongs together has an edge', long, async () => {
  const page = phone.page();
  await page.goto(`${server.url}/edit-account`);
  await page.getByRole('heading', { name: 'Account Information' }).waitFor();
  const edges = await page.evaluate(() =>
    [...document.querySelectorAll('main section[aria-labelledby]')].map(
      (card) => getComputedStyle(card).borderTopColor,
    ),
  );
  expect(edges.length).toBeGreaterThan(2);
  expect(new Set(edges)).toEqual(new Set(['rgb(0, 0, 0)']));
});

test('without signal it is there before the first paint', async () => {
  const page = phone.page();
  await phone.setSignal(false);
  await page.goto(`${server.url}/find-jobs`);
  await page.getByRole('heading', { level: 1, name: 'Find Jobs' }).waitFor();
  expect(await looks()).toEqual([...sunny, '22.4px']);
  // What the document's own script has done, before any other ran: it stands on the root when the body begins.
  expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('sun');
  await phone.setSignal(true);
});

test('it goes with the person: the next one on this device sees the usual', async () => {
  const page = phone.page();
  await askToLogOut(page);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log Out' }).click();
  await page.getByRole('link', { name: 'Login / Sign Up' }).first().waitFor();
  await expect.poll(async () => (await looks())[2]).toBe('16px');
  expect(await page.evaluate(() => localStorage.getItem('dwang-look'))).toBeNull();
  await signIn(page, demo('homeowner'));
  expect((await looks())[2]).toBe('16px');
});
