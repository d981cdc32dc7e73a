import { expect } from '@playwright/test';
import { openDevice, type Device } from './open-device.ts';
import type { RunningServer } from './open-server.ts';
import { demo, giveCredentials } from './person.ts';
import { test } from './shared-server.ts';

/* The password of an account is mistyped in a browser without an earlier sign-in. */

let server: RunningServer;
let phone: Device;

test.beforeAll(async ({ shareServer }) => {
  server = await shareServer();
  phone = await openDevice(server.url);
});
test.afterAll(async () => {
  await phone?.close();
});

test('a wrong password is said at its field, time after time, and sends no person to wait for a mail', async () => {
  const page = phone.page();
  const { email, password } = demo('tradie');
  const field = page.getByRole('dialog').getByLabel('Password');
  for (const wrong of ['not-my-password', 'password123', 'nor-this-one']) {
    await giveCredentials(page, { email, password: wrong });
    await expect(field).toHaveAccessibleDescription(/This is not the password of that account/);
    await expect(field).toBeFocused();
  }
  await giveCredentials(page, { email, password });
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  const mails = (await (await fetch(`${server.url}/dev/mailbox.json`)).json()) as { to: string; subject: string }[];
  expect(mails.filter(({ to, subject }) => to === email && subject.includes('account'))).toEqual([]);
});
