import { expect, type Page } from '@playwright/test';
import { openDevice, type Device } from './open-device.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { chooseTown, demo, signIn, untilInstalled } from './person.ts';
import { test } from './shared-server.ts';

/*
 * One person, the same form in two tabs: each tab has a draft of its own, and what is sent, given up or killed in one
 * neither sends nor deletes what is written in the other.
 */

let server: RunningServer;
let phone: Device;

test.beforeAll(async () => {
  server = await openServer();
});
test.afterAll(async () => {
  await server?.close();
});
test.afterEach(async () => {
  await phone?.close();
});

async function openBoth(who: string, path: string): Promise<[Page, Page]> {
  phone = await openDevice(server.url);
  const one = phone.page();
  await signIn(one, demo(who));
  await one.goto(`${server.url}${path}`);
  return [one, await phone.newTab(path)];
}

const jobs = {
  door: ['Rehang the barn door', 'It drags on the concrete.'],
  woolshed: ['Paint the woolshed', 'Two coats, the roof too.'],
  trough: ['Mend the trough', 'It leaks at the valve.'],
} as const;

async function write(page: Page, [title, description]: readonly [string, string]): Promise<void> {
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Description').fill(description);
  await chooseTown(page, /town/i, 'winton');
  await page.getByRole('radio', { name: 'Slow - No rush' }).check({ force: true });
  await page.getByLabel('Category').selectOption('builder');
}

test('of two notes in two tabs one is sent, and the other is kept and said not to be', async () => {
  phone = await openDevice(server.url);
  const one = phone.page();
  await signIn(one, demo('tradie'));
  await one.goto(`${server.url}/find-jobs`);
  const card = one.getByRole('article').filter({ hasNotText: 'Interest Expressed' }).first();
  const path = await card.getByRole('link').first().getAttribute('href');
  await one.goto(`${server.url}${path}`);
  const note = /^Note to the homeowner/;
  await one.getByLabel(note).fill('Another thought, begun first.');
  const other = await phone.newTab(path!);
  await expect(other.getByLabel(note)).toHaveValue('');
  await one.getByLabel(note).fill('Another thought, begun first and written with care.');
  await other.getByLabel(note).fill('Kia ora, Thursday suits me.');
  await other.getByRole('button', { name: 'Express Interest' }).click();
  await other.getByText('You have expressed interest in this job').waitFor();
  await expect(other.getByText('Kia ora, Thursday suits me.')).toHaveCount(1);
  await one.getByText('You have expressed interest in this job').waitFor();
  await expect(one.getByText('Another note of yours was not sent')).toBeVisible();
  await one.reload();
  await expect(one.getByText('Another thought, begun first and written with care.')).toBeVisible();
  await one.getByRole('button', { name: 'Discard' }).click();
  await expect(one.getByText('Another thought, begun first and written with care.')).toHaveCount(0);
  // What had the focus is gone.
  await expect(one.locator('main h1')).toBeFocused();
});

test('two jobs that are written in two tabs are two jobs, and a third is there again after a kill', async () => {
  const [one, other] = await openBoth('homeowner', '/post-job');
  await write(one, jobs.door);
  const third = await phone.newTab('/post-job');
  await expect(third.getByLabel('Title')).toHaveValue('');
  await write(third, jobs.trough);
  await write(other, jobs.woolshed);
  for (const [page, [title]] of [
    [other, jobs.woolshed],
    [one, jobs.door],
  ] as const) {
    await page.getByRole('button', { name: 'Post Job' }).click();
    await page.getByRole('link', { name: title }).waitFor();
  }
  for (const [title] of [jobs.door, jobs.woolshed]) await one.getByRole('link', { name: title }).waitFor();
  await expect.poll(() => keptTitles(third)).toEqual([jobs.trough[0]]);
  await phone.kill();
  const again = await phone.start('/post-job');
  await expect(again.getByLabel('Title')).toHaveValue(jobs.trough[0]);
  await expect(again.getByLabel('Description')).toHaveValue(jobs.trough[1]);
});

test('a job that waits and is opened again in two tabs is sent from one, and the words of the other stay in its form', async () => {
  const [one, other] = await openBoth('homeowner', '/post-job');
  await untilInstalled(phone);
  await phone.setSignal(false);
  await write(one, jobs.door);
  await one.getByRole('button', { name: 'Post Job' }).click();
  await one.getByText('Saved on this phone').first().waitFor();
  const tabs = [one, other] as const;
  for (const page of tabs) {
    await page.goto(`${server.url}/waiting`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await expect(page.getByLabel('Title')).toHaveValue(jobs.door[0]);
  }
  await one.getByLabel('Title').fill('Rehang the door, from one');
  await other.getByLabel('Title').fill('Rehang the door, from two');
  await other.getByRole('button', { name: 'Post Job' }).click();
  await other.getByText('Saved on this phone').first().waitFor();
  await one.getByRole('button', { name: 'Post Job' }).click();
  await one.getByText('This job has been sent already').waitFor();
  await expect(one.getByLabel('Title')).toHaveValue('Rehang the door, from one');
});

/** The titles of the jobs that are half-written on this device. */
const keptTitles = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const name = (await indexedDB.databases())
      .map((one) => one.name ?? '')
      .find((one) => /^dwang-[0-9a-f]{8}-/.test(one));
    const opening = indexedDB.open(name ?? '');
    const db = await new Promise<IDBDatabase>((resolve) => (opening.onsuccess = () => resolve(opening.result)));
    const reading = db.transaction('drafts').objectStore('drafts').getAll();
    const drafts = await new Promise<{ value?: { fields?: { title?: string } } }[]>(
      (resolve) => (reading.onsuccess = () => resolve(reading.result as never)),
    );
    db.close();
    return drafts.flatMap(({ value }) => value?.fields?.title ?? []);
  });
