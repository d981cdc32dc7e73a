import { expect, type Page } from '@playwright/test';
import { openDevice, type Device } from './open-device.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { chooseTown, demo, signIn } from './person.ts';
import { test } from './shared-server.ts';

/*
 * One person, the same form in two tabs: what is written in one is neither sent nor deleted by what is sent in the
 * other, and the person is told.
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

test('a note that was begun in a second tab is kept, and said not to be sent, when the first sends its own', async () => {
  phone = await openDevice(server.url);
  const one = phone.page();
  await signIn(one, demo('tradie'));
  await one.goto(`${server.url}/find-jobs`);
  const card = one.getByRole('article').filter({ hasNotText: 'Interest Expressed' }).first();
  const path = await card.getByRole('link').first().getAttribute('href');
  await one.goto(`${server.url}${path}`);
  const other = await phone.newTab(path!);
  await one.getByLabel(/^Note to the homeowner/).fill('Kia ora, Thursday suits me.');
  await other.getByLabel(/^Note to the homeowner/).fill('Another thought, written with care.');
  await one.getByRole('button', { name: 'Express Interest' }).click();
  await one.getByText('You have expressed interest in this job').waitFor();
  await expect(one.getByText('Kia ora, Thursday suits me.')).toHaveCount(1);
  await other.getByText('You have expressed interest in this job').waitFor();
  await expect(other.getByText('Another note of yours was not sent')).toBeVisible();
  await expect(other.getByText('Another thought, written with care.')).toBeVisible();
  await other.reload();
  await expect(other.getByText('Another thought, written with care.')).toBeVisible();
  await other.getByRole('button', { name: 'Discard' }).click();
  await expect(other.getByText('Another thought, written with care.')).toHaveCount(0);
});

test('a job that was begun in a second tab is there again when the first has posted its own', async () => {
  const [one, other] = await openBoth('homeowner', '/post-job');
  await one.getByLabel('Title').fill('Rehang the barn door');
  await one.getByLabel('Description').fill('It drags on the concrete.');
  await chooseTown(one, /town/i, 'winton');
  await one.getByRole('radio', { name: 'Slow - No rush' }).check({ force: true });
  await one.getByLabel('Category').selectOption('builder');
  await other.getByLabel('Title').fill('Paint the woolshed');
  await other.getByLabel('Description').fill('Two coats, the roof too.');
  await expect.poll(() => keptTitle(other)).toBe('Paint the woolshed');
  await one.getByRole('button', { name: 'Post Job' }).click();
  await one.getByRole('link', { name: 'Rehang the barn door' }).waitFor();
  await other.close();
  const again = await phone.newTab('/post-job');
  await expect(again.getByLabel('Title')).toHaveValue('Paint the woolshed');
  await expect(again.getByLabel('Description')).toHaveValue('Two coats, the roof too.');
});

/** The title of the job that is half-written on this device. */
const keptTitle = (page: Page): Promise<string | undefined> =>
  page.evaluate(async () => {
    const name = (await indexedDB.databases())
      .map((one) => one.name ?? '')
      .find((one) => /^dwang-[0-9a-f]{8}-/.test(one));
    const opening = indexedDB.open(name ?? '');
    const db = await new Promise<IDBDatabase>((resolve) => (opening.onsuccess = () => resolve(opening.result)));
    const reading = db.transaction('drafts').objectStore('drafts').get('post-job');
    const draft = await new Promise<{ value?: { fields?: { title?: string } } } | undefined>(
      (resolve) => (reading.onsuccess = () => resolve(reading.result as never)),
    );
    db.close();
    return draft?.value?.fields?.title;
  });
