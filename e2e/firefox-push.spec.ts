import { expect } from '@playwright/test';
import { openMozillaPush, type MozillaPush } from './engines/mozilla-push.ts';
import type { Tab } from './engines/tab.ts';
import { alertJob, postAlertJob, saveMatchingSearch } from './alert-job.ts';
import type { Device } from './open-device.ts';
import { longElsewhere } from './test-options.ts';
import { openFirefoxPhone } from './open-phone.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { timeoutMs } from './timeout-ms.ts';
import { demo, signIn, untilInstalled } from './person.ts';
import { test } from './shared-server.ts';

/*
 * Alerts in a browser that does all of it itself: Firefox subscribes, is connected to its push service, decrypts and
 * wakes the app's worker. Only that service, at the other end of its connection, is the test's own.
 */

const [tradie, owner] = [demo('tradie'), demo('homeowner')];
/** What Firefox answers of a message that it has decrypted and given to the worker. */
const delivered = 100;
const later = 'Paint the letterbox';

let server: RunningServer;
let push: MozillaPush;
let phone: Device<Tab>;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  push = await openMozillaPush();
  server = await openServer({ PUSH_ORIGINS: push.origin });
  phone = await openFirefoxPhone(server.url, push.address);
  await signIn(phone.page(), tradie);
  await untilInstalled(phone);
  await saveMatchingSearch(server, tradie);
});
test.afterAll(async () => {
  await phone?.close();
  await server?.close();
  await push?.close();
});

/**
 * Leaves the app. A picture of the same origin is shown, from which the worker can be asked; no page of the app syncs
 * meanwhile.
 */
const closeApp = () => phone.page().goto(`${server.url}/icon-192.png`);

/** Title and page of what is shown. */
const shown = () =>
  phone.page().evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const all = (await registration?.getNotifications()) ?? [];
    return all.map(({ title, data }) => [title, (data as { navigate: string }).navigate] as const);
  });

/** Its notification comes, and the page behind it is opened without signal. */
async function comesAndOpens(title: string): Promise<void> {
  await expect.poll(async () => (await shown()).map(([said]) => said), { timeout: timeoutMs }).toContain(title);
  const path = (await shown()).find(([said]) => said === title)?.[1] ?? '';
  await phone.setSignal(false);
  const opened = await phone.reopenTab(path);
  await opened.getByRole('heading', { level: 1, name: title }).waitFor();
  await opened.getByText(alertJob.description).waitFor();
}

test('a job that a saved search finds wakes Firefox with the app closed, and is opened without signal', async () => {
  const page = phone.page();
  await page.goto(`${server.url}/edit-account`);
  await page.getByRole('button', { name: 'Turn on alerts' }).click();
  await page.getByText('On for this device').waitFor();
  await closeApp();

  await postAlertJob(server, owner, alertJob.title);
  await expect.poll(() => push.acks, { timeout: timeoutMs }).toEqual([delivered]);
  await comesAndOpens(alertJob.title);
});

test('a job that was posted while the phone had no signal comes when it has', longElsewhere, async () => {
  await closeApp();
  await expect.poll(() => push.connected(), { timeout: timeoutMs }).toBe(0);
  await postAlertJob(server, owner, later);
  await expect.poll(() => push.waiting(), { timeout: timeoutMs }).toBe(1);

  await phone.setSignal(true);
  await comesAndOpens(later);
  expect(push.acks).toEqual([delivered, delivered]);
});
