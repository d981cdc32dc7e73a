import { expect } from '@playwright/test';
import { findWholeChromium, launchOptions } from '../scripts/find-chromium.ts';
import { pushMessage } from '../shared/protocol/push-message.ts';
import { openTestPushService, type TestPushService } from '../sync-server/testing/test-push-service.ts';
import { signedIn } from './account.ts';
import { alertJob, postAlertJob, saveMatchingSearch } from './alert-job.ts';
import { openDevice, type Device } from './open-device.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { timeoutMs } from './timeout-ms.ts';
import { demo, signIn, untilInstalled } from './person.ts';
import { test } from './shared-server.ts';

/*
 * A new job finds the tradie on the locked phone, and is opened and answered without signal. The browser's own way to
 * its push service is a double, because Chromium has one to Google's alone, which a test does not call: the
 * subscription is the tests' push service's, which decrypts what the server sent, and the browser's tools hand that to
 * the real service worker. A browser that subscribes and decrypts for itself is tried in `firefox-push.spec.ts`.
 */

const [tradie, owner] = [demo('tradie'), demo('homeowner')];
const { title } = alertJob;

let server: RunningServer;
let service: TestPushService;
let phone: Device;

test.beforeAll(async () => {
  service = await openTestPushService();
  server = await openServer({ PUSH_ORIGINS: service.url });
  phone = await openDevice(server.url, '/', undefined, launchOptions(findWholeChromium()));
  await signIn(phone.page(), tradie);
  await untilInstalled(phone);
});
test.afterAll(async () => {
  await phone?.close();
  await server?.close();
  await service?.close();
});

test('a job that a saved search finds comes to the phone, and is opened and answered without signal', async () => {
  await saveMatchingSearch(server, tradie);
  const page = phone.page();
  const { pushKey } = (await (await fetch(`${server.url}/api/config`)).json()) as { pushKey: string };
  const browser = service.subscribe(pushKey);
  await page.context().grantPermissions(['notifications']);
  await page.goto(`${server.url}/edit-account`);
  await page.evaluate(({ endpoint, p256dh, auth }) => {
    const subscription = { endpoint, toJSON: () => ({ endpoint, keys: { p256dh, auth } }) };
    PushManager.prototype.subscribe = () => Promise.resolve(subscription as unknown as PushSubscription);
  }, browser);
  await page.getByRole('button', { name: 'Turn on alerts' }).click();
  await page.getByText('On for this device').waitFor();
  // The feed as of now is here; what comes after it only the message can bring.
  await page.goto(`${server.url}/find-jobs`);
  await page
    .getByText(/^Updated /)
    .first()
    .waitFor();

  const tools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    tools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations;
      if (first !== undefined) resolve(first.registrationId);
    }),
  );
  await tools.send('ServiceWorker.enable');
  const registrationId = await registered;
  await phone.setSignal(false);
  const homeowner = await signedIn(server, owner.email, owner.password);
  await postAlertJob(server, owner, title);
  await expect.poll(() => service.taken.length, { timeout: timeoutMs }).toBe(1);
  const [{ text } = { text: '' }] = service.taken;
  expect(pushMessage.parse(JSON.parse(text)).notification).toMatchObject({
    title,
    body: 'Winton, Southland · No budget named',
  });
  for (const mark of [owner.email, homeowner.userId]) expect(text).not.toContain(mark);

  const shown = () =>
    page.evaluate(async () =>
      (await (await navigator.serviceWorker.ready).getNotifications()).map((one) => [
        one.title,
        (one.data as { navigate: string }).navigate,
      ]),
    );
  // The tools tell of no message that a worker under load was not started for; a message that comes again shows once.
  await expect(async () => {
    await tools.send('ServiceWorker.deliverPushMessage', { origin: server.url, registrationId, data: text });
    await expect.poll(async () => (await shown()).map(([said]) => said), { timeout: 15_000 }).toEqual([title]);
  }).toPass({ timeout: timeoutMs });
  const [[, path = ''] = []] = await shown();
  const opened = await phone.reopenTab(path);
  await opened.getByRole('heading', { level: 1, name: title }).waitFor();
  await opened.getByText(alertJob.description).waitFor();
  await opened.getByRole('button', { name: 'Express Interest' }).click();
  await opened.getByText('Saved on this phone').first().waitFor();

  await phone.setSignal(true);
  const interestsOf = async () => {
    const jobs = await homeowner.get<{ title: string; interestCount: number }[]>('/api/jobs?type=my-jobs');
    return jobs.find((job) => job.title === title)?.interestCount;
  };
  await expect.poll(interestsOf, { timeout: timeoutMs }).toBe(1);
});
