import { expect } from '@playwright/test';
import { mailTo, signedIn } from './account.ts';
import { openDevice, type Device } from './open-device.ts';
import type { RunningServer } from './open-server.ts';
import { giveCredentials } from './person.ts';
import { test } from './shared-server.ts';

/* Another person has signed this person's address up, just before they do so themselves. */

const person = { email: 'mere.parata@example.nz', password: 'the-owners-own' };
const [strangers, chosen] = ['the-strangers-own', 'chosen-by-the-owner'];

let server: RunningServer;
let phone: Device;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ shareServer }) => {
  server = await shareServer();
  phone = await openDevice(server.url);
});
test.afterAll(async () => {
  await phone?.close();
});

async function signUpAsStranger(): Promise<void> {
  const { supabaseAnonKey: apikey } = (await (await fetch(`${server.url}/api/config`)).json()) as {
    supabaseAnonKey: string;
  };
  const answer = await fetch(`${server.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { apikey, 'content-type': 'application/json' },
    body: JSON.stringify({ email: person.email, password: strangers }),
  });
  expect(answer.status).toBe(200);
}

test('an address that a stranger signed up just before is still its owner’s: their mail leads to a password of their own, and the stranger’s opens nothing', async () => {
  await signUpAsStranger();
  const page = phone.page();
  await giveCredentials(page, person);
  const dialog = page.getByRole('dialog');
  await dialog.getByText(person.email).waitFor();
  const confirmed = dialog.getByRole('button', { name: "I've Confirmed My Email" });
  await confirmed.click();
  await page.getByText('Please confirm your email before proceeding').waitFor();
  await dialog.getByText('Opened the link already?').waitFor();

  const {
    links: [link],
  } = await mailTo(server, person.email, /confirm/i);
  if (link === undefined) throw new Error('The mail to confirm the address has no link in it.');
  await page.goto(link);
  await page.getByText('Your email is confirmed. Now choose a password').waitFor();
  expect(new URL(page.url()).pathname).toBe('/edit-account');
  await expect(signedIn(server, person.email, strangers)).rejects.toThrow(/400/);
  await expect(signedIn(server, person.email, person.password)).rejects.toThrow(/400/);

  await page.getByLabel('New password').fill(chosen);
  await page.getByLabel('Confirm password').fill(chosen);
  await page.getByRole('button', { name: 'Update Password' }).click();
  await page.getByText('Password Updated').waitFor();
  expect(page.url()).not.toContain('access_token');
  await page.getByRole('button', { name: 'Complete Profile' }).click();
  await dialog.getByLabel('First name').fill('Mere');
  await dialog.getByLabel('Last name').fill('Parata');
  await dialog.getByRole('button', { name: 'Complete Profile' }).click();
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();

  await signedIn(server, person.email, chosen);
  await expect(signedIn(server, person.email, strangers)).rejects.toThrow(/400/);
});
