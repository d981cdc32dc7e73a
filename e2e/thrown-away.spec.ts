import { expect } from '@playwright/test';
import { seededRandom } from '../shared/testing/random-source.ts';
import { signedIn } from './account.ts';
import { checkJournal, nothingWrong } from './check-journal.ts';
import { openDevice, type Device } from './open-device.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { openWire, type Wire } from './open-wire.ts';
import {
  beginWriting,
  countBackedUp,
  countWaiting,
  holdWrite,
  createJournal,
  planChains,
  type Chain,
} from './page-writer.ts';
import { timeoutMs } from './timeout-ms.ts';
import { demo, giveCredentials, signIn, untilInstalled } from './person.ts';
import { test } from './shared-server.ts';

/*
 * Chromium deletes a site's whole storage when it is killed at certain times (docs/decisions/0009). The app avoids
 * those where it can, and where it cannot it has a copy elsewhere.
 */

const homeowner = demo('homeowner');
const quiet = { timeout: 60_000, intervals: [100] };

const journal = createJournal();
const planned: Chain[] = [];
let wire: Wire;
let server: RunningServer;
let phone: Device;
let api: Awaited<ReturnType<typeof signedIn>>;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  wire = await openWire();
  server = await openServer({ PUBLIC_URL: wire.url });
  wire.leadTo(server.url);
  phone = await openDevice(wire.url);
  await journal.listenTo(phone.page().context());
  await signIn(phone.page(), homeowner);
  await untilInstalled(phone);
  api = await signedIn(server, homeowner.email, homeowner.password);
});
test.afterAll(async () => {
  await phone?.close();
  await wire?.close();
  await server?.close();
});

/** Writes some jobs that cannot be sent, and waits until all are saved and backed up. */
async function writeUnsent(seed: number, prefix: string): Promise<void> {
  const chains = planChains(seededRandom(seed), prefix, 6);
  planned.push(...chains);
  const page = phone.page();
  const saved = () => journal.entries.filter(({ word }) => word === 'saved').length;
  const wanted = saved() + chains.reduce((sum, { steps }) => sum + steps.length, 0);
  wire.become('busy');
  await beginWriting(page, chains);
  await journal.untilSaved(wanted);
  await expect.poll(async () => (await countBackedUp(page)) === (await countWaiting(page)), quiet).toBe(true);
}

async function restart(): Promise<void> {
  const page = await phone.start('/waiting');
  await journal.listenTo(page.context());
}

async function expectDelivered(): Promise<void> {
  wire.become('through');
  await expect.poll(() => countWaiting(phone.page()), quiet).toBe(0);
  expect(await checkJournal(api, planned, journal.entries, true)).toEqual(nothingWrong);
  await expect.poll(() => countBackedUp(phone.page()), quiet).toBe(0);
}

test('killed with two writes at once under way: nothing is deleted, because the app never has two at once', async () => {
  await writeUnsent(1, 'Two at once');
  const waiting = await countWaiting(phone.page());
  expect(await holdWrite(phone.page(), 'drafts', timeoutMs)).toBe(true);
  expect.soft(await holdWrite(phone.page(), 'profiles', 1_000)).toBe(false);
  await phone.kill();
  await restart();
  expect(await countWaiting(phone.page())).toBe(waiting);
  await expectDelivered();
});

test('killed in the middle of a record: the browser deletes everything; the person is told, signs in, and what had not been sent is sent once', async () => {
  await writeUnsent(2, 'Torn');
  await phone.kill('torn');
  await restart();
  await writeUnsent(3, 'Written behind it');
  await phone.kill();
  wire.become('through');
  await restart();
  const page = phone.page();
  await page.getByText('This browser has cleared what was saved on this phone').waitFor();
  await page.getByText('what we have a copy of').waitFor();
  await page.getByRole('button', { name: 'Sign In' }).first().click();
  await page.getByRole('dialog').waitFor();
  await giveCredentials(page, homeowner);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText(/We had a copy of what was not sent: \d+ changes/).waitFor();
  await expectDelivered();
});
