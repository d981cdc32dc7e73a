import { expect, test } from '@playwright/test';
import type { Tab } from './engines/tab.ts';
import type { Device } from './open-device.ts';
import { openPhone } from './open-phone.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { demo, signIn, untilInstalled } from './person.ts';

/*
 * A browser that is killed may leave files of its Cache Storage cut short, and says so at every read after it (“Failed reading data from the
 * file system” in WebKit). The app's own files are in there.
 */

let server: RunningServer;
let phone: Device<Tab>;

test.beforeAll(async () => {
  server = await openServer();
  phone = await openPhone(server.url);
  await signIn(phone.page(), demo('homeowner'));
  await untilInstalled(phone);
});
test.afterAll(async () => {
  await phone?.close();
  await server?.close();
});

test('a browser that cannot read the app’s files any more: the app opens from the network, signed in, instead of never again', async () => {
  await phone.kill('torn');
  const page = await phone.start('/dashboard');
  await expect.poll(() => page.getByRole('heading', { name: /Your Posted Jobs \([1-9]/ }).count()).toBe(1);
});
