import { expect } from '@playwright/test';
import { mailTo, signedIn } from './account.ts';
import { long } from './test-options.ts';
import { makePhoto } from './make-photo.ts';
import { openDevice, type Device } from './open-device.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { backUp, putBack } from './operate.ts';
import { demo, postJob, signIn, signUp } from './person.ts';
import { test } from './shared-server.ts';

/*
 * The database is restored from a backup while phones have gone on: by the operator's own commands, against the running
 * server and the stopped one. What is in a phone's outbox arrives, once; what the server forgot comes back from the
 * phone that made it, with its photo.
 */

const before = 'Before the backup was made';
const between = 'Sent after the backup was made';
const held = 'Written without signal';
const newcomers = 'By somebody who joined after the backup';
const newcomer = { email: 'newcomer@example.nz', password: 'correct-horse-7', firstName: 'Mere', lastName: 'Parata' };

let server: RunningServer;
let phone: Device;
let other: Device;
let joined: Device;
let backup: string;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  server = await openServer();
  phone = await openDevice(server.url);
  other = await openDevice(server.url);
  joined = await openDevice(server.url);
});
test.afterAll(async () => {
  await phone?.close();
  await other?.close();
  await joined?.close();
  await server?.close();
});

async function titlesAtServer(): Promise<string[]> {
  const { email, password } = demo('homeowner');
  const { get } = await signedIn(server, email, password);
  return (await get<{ title: string }[]>('/api/jobs?type=my-jobs')).map(({ title }) => title);
}

async function activeTitles(): Promise<string[]> {
  const { email, password } = demo('tradie');
  const { get } = await signedIn(server, email, password);
  return (await get<{ title: string }[]>('/api/jobs')).map(({ title }) => title);
}

/** What storage answers for each photo of the job that was posted after the backup. */
async function photosOfBetween(): Promise<number[]> {
  const { email, password } = demo('homeowner');
  const { get } = await signedIn(server, email, password);
  const jobs = await get<{ title: string; images: string[] }[]>('/api/jobs?type=my-jobs');
  const images = jobs.find(({ title }) => title === between)?.images ?? [];
  return Promise.all(images.map(async (image) => (await fetch(new URL(image, server.url))).status));
}

const shows = (device: Device, title: string) => device.page().getByText(title).first();

test('a backup is made while the server runs and phones write', long, async () => {
  for (const device of [phone, other]) await signIn(device.page(), demo('homeowner'));
  await postJob(phone.page(), before);
  await expect.poll(titlesAtServer, { timeout: 90_000 }).toContain(before);
  backup = await backUp(server);
  expect(backup).toContain('backups');

  await phone.page().goto(`${server.url}/dashboard`);
  await postJob(phone.page(), between, [makePhoto('fence.png', [120, 80, 40])]);
  await expect.poll(titlesAtServer, { timeout: 90_000 }).toContain(between);
  await other.page().goto(`${server.url}/dashboard`);
  await shows(other, between).waitFor();
  await expect.poll(photosOfBetween, { timeout: 90_000 }).toEqual([200]);

  await joined.page().goto(server.url);
  await signUp(server, joined.page(), newcomer);
  await postJob(joined.page(), newcomers);
  await expect.poll(activeTitles, { timeout: 90_000 }).toContain(newcomers);

  await phone.setSignal(false);
  await postJob(phone.page(), held);
  await putBack(server, backup);
});

test(
  'what the phone held arrives once, what the server forgot comes back with its photo, and all agree',
  long,
  async () => {
    expect(await titlesAtServer()).not.toContain(between);
    await phone.setSignal(true);
    await expect.poll(titlesAtServer, { timeout: 90_000 }).toContain(held);
    await expect.poll(titlesAtServer, { timeout: 90_000 }).toContain(between);
    for (const device of [phone, other]) {
      await device.page().goto(`${server.url}/dashboard`);
      for (const title of [held, before, between]) await shows(device, title).waitFor({ timeout: 90_000 });
    }
    const titles = await titlesAtServer();
    expect([before, between, held].map((title) => titles.filter((one) => one === title).length)).toEqual([1, 1, 1]);
    // The restore took the photo's file away; the phone that took it uploads it again.
    await expect.poll(photosOfBetween, { timeout: 150_000 }).toEqual([200]);
  },
);

test(
  'a person who joined after the backup stays signed in, and has their job again; their mail says how to choose a password',
  long,
  async () => {
    const page = joined.page();
    await page.goto(`${server.url}/dashboard`);
    await shows(joined, newcomers).waitFor({ timeout: 90_000 });
    await expect.poll(activeTitles, { timeout: 90_000 }).toContain(newcomers);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const mail = await mailTo(server, newcomer.email, /new password/i);
    await page.goto(mail.links[0]!);
    await page.getByLabel('New password', { exact: true }).waitFor();
  },
);
