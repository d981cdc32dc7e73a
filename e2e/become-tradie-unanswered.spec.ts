import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { picturePath } from '../sync-server/db/seed/demo/picture-path.ts';
import { signedIn } from './account.ts';
import { long } from './test-options.ts';
import { openDevice, type Device } from './open-device.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { openWire, type Wire } from './open-wire.ts';
import { chooseTown, demo, signIn, untilInstalled } from './person.ts';
import { test } from './shared-server.ts';

/*
 * Becoming a tradie where nothing answers: the whole form is filled in without signal, logo included, survives the tab,
 * goes no further than the network allows, and is paid for once there is one.
 */

const person = demo('homeowner');
const business = 'Ngata Fencing';

let wire: Wire;
let server: RunningServer;
let phone: Device;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  wire = await openWire();
  server = await openServer({ PUBLIC_URL: wire.url });
  wire.leadTo(server.url);
  phone = await openDevice(wire.url);
  await signIn(phone.page(), person);
  await untilInstalled(phone);
});
test.afterAll(async () => {
  await phone?.close();
  await wire?.close();
  await server?.close();
});

const pay = () => phone.page().getByRole('button', { name: 'Continue to Payment' });
const logo = () => phone.page().locator('img[src^="blob:"]');

async function mustHoldEverything(): Promise<void> {
  const page = phone.page();
  await page.getByLabel('NZBN').waitFor();
  expect(await page.getByLabel('NZBN').inputValue()).toBe('9429040402543');
  expect(await page.getByLabel('Business name').inputValue()).toBe(business);
  expect(await page.getByLabel('Business address').inputValue()).toBe('4 Cameron Street, Whangārei');
  expect(await page.getByRole('checkbox', { name: 'Builder', exact: true }).isChecked()).toBe(true);
  expect(await page.getByLabel('Contact phone').inputValue()).toBe('021 123 4567');
  expect(await page.getByLabel('Company description').inputValue()).toBe('Fences and gates, rural and town.');
  expect(await page.getByRole('combobox', { name: /nearest location/i }).inputValue()).toBe('Winton');
  expect(await page.getByRole('checkbox', { name: /I agree/ }).isChecked()).toBe(true);
}

test(
  'without signal: filled in, logo and all, kept through a closed tab, and Continue is off with the reason',
  long,
  async () => {
    await phone.setSignal(false);
    const page = await phone.reopenTab('/become-tradie');
    await page.getByLabel('NZBN').fill('9429040402543');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('NZBN Verified').waitFor();
    await page.getByLabel('Business name').fill(business);
    await page.getByLabel('Business address').fill('4 Cameron Street, Whangārei');
    await page.getByRole('checkbox', { name: 'Builder', exact: true }).check({ force: true });
    await page.getByLabel('Contact phone').fill('021 12');
    await page.getByLabel('Company description').fill('Fences and gates, rural and town.');
    await page.getByText('Please enter a valid New Zealand phone number').waitFor();
    await page.getByLabel('Contact phone').fill('021 123 4567');
    await chooseTown(page, /nearest location/i, 'winton');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'Tōtara.webp', mimeType: 'image/webp', buffer: readFileSync(picturePath('fence-1')) });
    await logo().waitFor();
    await page.getByRole('checkbox', { name: /I agree/ }).check({ force: true });
    await page.getByText('You need signal for this. What you have filled in is kept.').waitFor();
    expect(await pay().isDisabled()).toBe(true);

    await phone.reopenTab('/become-tradie');
    await mustHoldEverything();
    await logo().waitFor();
    expect(await pay().isDisabled()).toBe(true);
  },
);

test('with signal again it goes on to the payment page; cancelled there, everything is still kept', long, async () => {
  await phone.setSignal(true);
  await expect.poll(() => pay().isEnabled()).toBe(true);
  await pay().click();
  await phone.page().getByRole('button', { name: 'Cancel' }).click();
  await phone.page().getByText('Payment Cancelled').waitFor();
  await phone.reopenTab('/become-tradie');
  await mustHoldEverything();
  await logo().waitFor();
});

test('on a connection that hangs it says so after a while, and loses nothing', long, async () => {
  // A tab that sees its requests cut off knows that nothing answers, and tells the next one.
  await phone.page().goto('about:blank');
  wire.become('silent');
  const page = await phone.reopenTab('/become-tradie');
  await mustHoldEverything();
  // A picture has a minute; the words alone twenty seconds.
  await page.getByRole('button', { name: 'Remove logo' }).click();
  await pay().click();
  await page.getByRole('button', { name: /Processing\.\.\./ }).waitFor();
  await page.getByRole('alert').getByText('Failed to create checkout session').waitFor();
  await mustHoldEverything();
  await phone.reopenTab('/become-tradie');
  await mustHoldEverything();
  expect(await logo().count()).toBe(0);
});

test('once there is a network it is paid for, with what was filled in', long, async () => {
  wire.become('through');
  const page = phone.page();
  await pay().click();
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.getByText('Welcome aboard!').waitFor();
  const api = await signedIn(server, person.email, person.password);
  expect(await api.get('/api/tradies/me')).toMatchObject({
    businessName: business,
    nzbn: '9429040402543',
    contactPhone: '+64211234567',
    locationId: 'southland/winton',
    logo: '',
  });
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('dwang-onboarding'))),
  ).toEqual([]);
});
