import { expect } from '@playwright/test';
import { mailTo, signedIn } from './account.ts';
import { deviceContents } from './device-contents.ts';
import type { Tab } from './engines/tab.ts';
import type { Device } from './open-device.ts';
import { openPhone } from './open-phone.ts';
import type { RunningServer } from './open-server.ts';
import { openWire, type Wire } from './open-wire.ts';
import { makeHeic, makePhoto } from './make-photo.ts';
import { chooseTown, demo, giveCredentials, signIn, untilInstalled } from './person.ts';
import { test } from './shared-server.ts';

/*
 * The main flow in a real browser, with a real service worker, two phones and a browser process that is really killed:
 * a job posted without signal reaches the server exactly once, its photos follow, and the answer comes back.
 */

const homeowner = {
  email: 'hinemoa.tuhoe@example.nz',
  password: 'kowhai-flowers',
  firstName: 'Hinemoa',
  lastName: 'Tuhoe',
};
const title = 'Mend the woolshed door';

let server: RunningServer;
let wire: Wire;
let homeownersPhone: Device<Tab>;
let tradiesPhone: Device<Tab>;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ shareServer }) => {
  server = await shareServer();
  wire = await openWire();
  wire.leadTo(server.url);
});
test.afterAll(async () => {
  await homeownersPhone?.close();
  await tradiesPhone?.close();
  await wire?.close();
});

test('a homeowner signs up with the mail in the mailbox', async () => {
  homeownersPhone = await openPhone(wire.url);
  const page = homeownersPhone.page();
  await giveCredentials(page, homeowner);
  const dialog = page.getByRole('dialog');
  await dialog.getByText(homeowner.email).waitFor();
  const mail = await mailTo(server, homeowner.email, /confirm/i);
  const confirmed = await fetch(mail.links[0]!, { redirect: 'manual' });
  expect(confirmed.status).toBe(303);
  await dialog.getByRole('button', { name: "I've Confirmed My Email" }).click();
  await dialog.getByLabel('First name').fill(homeowner.firstName);
  await dialog.getByLabel('Last name').fill(homeowner.lastName);
  await dialog.getByRole('button', { name: 'Complete Profile' }).click();
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  await untilInstalled(homeownersPhone);
});

test('posts a job with two photos without signal, a HEIC is refused at once, the phone is killed, and the job is there, saved [§2 /post-job, §offline]', async () => {
  await homeownersPhone.setSignal(false);
  const page = await homeownersPhone.reopenTab('/post-job');
  await page.getByRole('heading', { level: 1, name: 'Post a Job' }).waitFor();
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Description').fill('The bottom rail has rotted and the runner is bent. Four metres wide.');
  await page.getByLabel('Region').selectOption('Southland');
  await chooseTown(page, /town/i, 'winton');
  await page.getByRole('radio', { name: 'Soon - Within 2 weeks' }).check({ force: true });
  await page.getByLabel('Category').selectOption('builder');
  await page.getByLabel(/Budget max/).fill('1250.50');
  // What an iPhone keeps, and this browser cannot read, is refused here and now; the form stays as it is.
  const library = page.locator('input[type=file]:not([capture])');
  await library.setInputFiles([makeHeic('IMG_2041.HEIC')]);
  await page.getByText('This browser can’t read this photo. Choose a JPEG or PNG, or take it again.').waitFor();
  expect(await page.getByLabel('Title').inputValue()).toBe(title);
  await page.getByRole('button', { name: 'Remove photo 1: IMG_2041.HEIC' }).click();
  await library.setInputFiles([makePhoto('door.png', [120, 80, 40]), makePhoto('Rūnner.png', [60, 60, 70])]);
  await page.getByText('2 photos added').waitFor();
  await page.getByRole('button', { name: 'Post Job' }).click();
  await page.getByText('Saved on this phone', { exact: false }).first().waitFor();

  await homeownersPhone.kill();
  // A starting browser may run Background Sync before a test can take its signal away, so its line is cut too.
  wire.become('closed');
  const again = await homeownersPhone.start('/dashboard');
  const job = again.getByRole('link', { name: new RegExp(title) });
  await job.waitFor();
  await again.getByText('Saved on this phone').first().waitFor();
  expect(await job.count()).toBe(1);
  wire.become('through');
});

test('when signal returns the job is on the server exactly once and its photos follow', async () => {
  await homeownersPhone.setSignal(true);
  const api = await signedIn(server, homeowner.email, homeowner.password);
  await expect
    .poll(
      async () =>
        (await api.get<{ title: string; images: string[] }[]>('/api/jobs?type=my-jobs')).map((job) => [
          job.title,
          job.images.length,
        ]),
      { timeout: 90_000 },
    )
    .toEqual([[title, 2]]);
  const page = homeownersPhone.page();
  await expect.poll(() => page.getByText('Saved on this phone').count()).toBe(0);
  const [job] = await api.get<{ images: string[]; budgetMax: number }[]>('/api/jobs?type=my-jobs');
  expect(job?.budgetMax).toBe(1250.5);
  for (const url of job?.images ?? []) expect((await fetch(url)).headers.get('content-type')).toMatch(/^image\//);
});

test('a tradie sees a new job appear without reloading, and answers it from a phone that is killed [§offline]', async () => {
  tradiesPhone = await openPhone(wire.url);
  const page = tradiesPhone.page();
  await signIn(page, demo('tradie'));
  await page.getByRole('heading', { name: /Your Interested Jobs \(/ }).waitFor();
  await untilInstalled(tradiesPhone);
  await page.goto(`${wire.url}/find-jobs`);
  await page
    .getByRole('link', { name: new RegExp(title) })
    .first()
    .waitFor();

  // Another job, posted while the tradie only watches.
  const owners = homeownersPhone.page();
  await owners.goto(`${wire.url}/post-job`);
  await owners.getByLabel('Title').fill('And hang a new gate');
  await owners.getByLabel('Description').fill('Beside the woolshed.');
  await owners.getByLabel('Region').selectOption('Southland');
  await chooseTown(owners, /town/i, 'winton');
  await owners.getByRole('radio', { name: 'Slow - No rush' }).check({ force: true });
  await owners.getByLabel('Category').selectOption('builder');
  await owners.getByRole('button', { name: 'Post Job' }).click();
  await owners.getByText('Job Posted!').waitFor();
  await page
    .getByRole('link', { name: /And hang a new gate/ })
    .first()
    .waitFor();

  await tradiesPhone.setSignal(false);
  await page
    .getByRole('link', { name: new RegExp(title) })
    .first()
    .click();
  await page.getByLabel(/Note to the homeowner/).fill('I do doors. Thursday morning?');
  await page.getByRole('button', { name: 'Express Interest' }).click();
  await page.getByText('Saved on this phone', { exact: false }).first().waitFor();
  await tradiesPhone.kill();

  wire.become('closed');
  const reopened = await tradiesPhone.start('/dashboard');
  await reopened
    .getByRole('link', { name: new RegExp(title) })
    .first()
    .waitFor();
  await reopened.getByText('Saved on this phone').first().waitFor();
  wire.become('through');
  await tradiesPhone.setSignal(true);
  await expect.poll(() => reopened.getByText('Saved on this phone').count(), { timeout: 90_000 }).toBe(0);
});

test('the homeowner sees who is interested, with contact details', async () => {
  const page = homeownersPhone.page();
  await page.goto(`${wire.url}/dashboard`);
  await page
    .getByRole('link', { name: new RegExp(title) })
    .first()
    .click();
  await page.getByRole('heading', { name: 'Interested Tradies (1)' }).waitFor();
  await page.getByText('I do doors. Thursday morning?').waitFor();
  expect(await page.locator('a[href^="tel:+64"]').count()).toBe(1);
  expect(await page.locator(`a[href="mailto:${demo('tradie').email}"]`).count()).toBe(1);
  const api = await signedIn(server, homeowner.email, homeowner.password);
  const jobs = await api.get<{ id: string; title: string }[]>('/api/jobs?type=my-jobs');
  const interests = await api.get<unknown[]>(`/api/jobs/${jobs.find((job) => job.title === title)?.id}/interests`);
  expect(interests).toHaveLength(1);
});

test('[I8] nothing on the tradie’s phone, and nothing in the server’s log, names the homeowner', async () => {
  const { userId } = await signedIn(server, homeowner.email, homeowner.password);
  const contents = await deviceContents(tradiesPhone.page());
  // Compared as booleans: a failure that prints the whole phone cannot be read.
  expect(contents.includes(title)).toBe(true);
  const secrets = [homeowner.email, homeowner.firstName, homeowner.lastName];
  expect(secrets.filter((secret) => contents.includes(secret))).toEqual([]);
  expect(contents.includes(userId)).toBe(false);
  // The welcome text names the demo accounts; the log is the lines that are JSON.
  const log = server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .join('\n');
  expect(log).toContain('"msg"');
  expect([homeowner.email, demo('tradie').email, homeowner.password].filter((secret) => log.includes(secret))).toEqual(
    [],
  );
});
