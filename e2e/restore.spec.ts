import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { signedIn } from './account.ts';
import { openDevice, type Device } from './open-device.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { demo, postJob, signIn } from './person.ts';

/*
 * The database is restored from a backup while phones have gone on: by the operator's own commands, against the running server and the
 * stopped one. What is in a phone's outbox arrives, once; what the server forgot leaves the phones.
 */

const before = 'Before the backup was made';
const between = 'Sent after the backup was made';
const held = 'Written without signal';

let server: RunningServer;
let phone: Device;
let other: Device;
let backup: string;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  server = await openServer();
  phone = await openDevice(server.url);
  other = await openDevice(server.url);
});
test.afterAll(async () => {
  await phone?.close();
  await other?.close();
  await server?.close();
});

/** An operator's command, as `npm run ops` would run it. Asynchronous: the browsers and the test runner need answers meanwhile. */
async function command(what: string, ...args: string[]): Promise<string> {
  const done = promisify(execFile)(process.execPath, [join('scripts', 'ops.ts'), what, ...args], {
    env: { ...process.env, DATA_DIR: server.dataDir },
  });
  const { stdout } = await done.catch((error: Error & { stdout: string; stderr: string }) => {
    throw new Error(`${what}: ${error.stdout}${error.stderr}`, { cause: error });
  });
  return stdout;
}

async function titlesAtServer(): Promise<string[]> {
  const { email, password } = demo('homeowner');
  const { get } = await signedIn(server, email, password);
  return (await get<{ title: string }[]>('/api/jobs?type=my-jobs')).map(({ title }) => title);
}

const shows = (device: Device, title: string) => device.page().getByText(title).first();

test('a backup is made while the server runs and phones write', async () => {
  for (const device of [phone, other]) await signIn(device.page(), demo('homeowner'));
  await postJob(phone.page(), before);
  await expect.poll(titlesAtServer, { timeout: 90_000 }).toContain(before);
  backup = /^(.*): the database/.exec(await command('backup'))?.[1] ?? '';
  expect(backup).toContain('backups');

  await phone.page().goto(`${server.url}/dashboard`);
  await postJob(phone.page(), between);
  await expect.poll(titlesAtServer, { timeout: 90_000 }).toContain(between);
  await other.page().goto(`${server.url}/dashboard`);
  await shows(other, between).waitFor();

  await phone.setSignal(false);
  await postJob(phone.page(), held);
  await server.stop();
  expect(await command('restore', '--from', backup)).toContain('Restored what was there');
  await server.start();
});

test('what the phone held arrives once, what the server forgot leaves every phone, and all agree', async () => {
  expect(await titlesAtServer()).not.toContain(between);
  await phone.setSignal(true);
  await expect.poll(titlesAtServer, { timeout: 90_000 }).toContain(held);
  for (const device of [phone, other]) {
    await device.page().goto(`${server.url}/dashboard`);
    await shows(device, held).waitFor({ timeout: 90_000 });
    await shows(device, before).waitFor();
    await shows(device, between).waitFor({ state: 'detached', timeout: 90_000 });
  }
  const titles = await titlesAtServer();
  expect([before, between, held].map((title) => titles.filter((one) => one === title).length)).toEqual([1, 0, 1]);
});
