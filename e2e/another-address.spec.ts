import { expect, test } from '@playwright/test';
import { signedIn } from './account.ts';
import { makePhoto } from './make-photo.ts';
import { openDevice, type Device } from './open-device.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { chooseTown, demo, signIn } from './person.ts';

/*
 * The app is open at another address than the server has as its own: a phone in the same network, another port. What is stored of a
 * photo is its path, so it is accepted, and shown, where the app is.
 */

const title = 'Straighten the letterbox';
const believed = 'http://localhost:1';

let server: RunningServer;
let phone: Device;

test.beforeAll(async () => {
  server = await openServer({ PUBLIC_URL: believed });
  phone = await openDevice(server.url);
});
test.afterAll(async () => {
  await phone?.close();
  await server?.close();
});

test('a photo taken while the app is open at another address is sent, and shown there', async () => {
  const page = phone.page();
  await signIn(page, demo('homeowner'));
  await page.goto(`${server.url}/post-job`);
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Description').fill('It leans into the hedge.');
  await page.getByLabel('Region').selectOption('Southland');
  await chooseTown(page, /town/i, 'winton');
  await page.getByRole('radio', { name: 'Soon - Within 2 weeks' }).check({ force: true });
  await page.getByLabel('Category').selectOption('builder');
  await page.locator('input[type=file]:not([capture])').setInputFiles([makePhoto('letterbox.png', [120, 80, 40])]);
  await page.getByText('1 photo added').waitFor();
  await page.getByRole('button', { name: 'Post Job' }).click();

  const { email, password } = demo('homeowner');
  const api = await signedIn(server, email, password);
  const posted = async () =>
    (await api.get<{ id: string; title: string; images: string[] }[]>('/api/jobs?type=my-jobs')).find(
      (job) => job.title === title,
    );
  await expect.poll(async () => (await posted())?.images.length).toBe(1);
  const job = (await posted())!;
  expect(job.images[0]).toMatch(
    new RegExp(`^${believed}/storage/v1/object/public/job-photos/${job.id}/[0-9]+-letterbox[.]`),
  );

  await page.goto(`${server.url}/job/${job.id}`);
  const picture = page.getByRole('button', { name: 'Enlarge photo 1 of 1' }).locator('img');
  await expect
    .poll(() => picture.evaluate((img: HTMLImageElement) => [new URL(img.src).origin, img.naturalWidth > 0]))
    .toEqual([server.url, true]);
});
