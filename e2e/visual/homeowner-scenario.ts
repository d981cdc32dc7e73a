import type { Page } from '@playwright/test';
import { picturePath } from '../../sync-server/db/seed/demo/picture-path.ts';
import { chooseTown, demo, signIn } from '../person.ts';
import type { Scenario, Fixture } from './screen-state.ts';

export const asDemo =
  (name: string) =>
  async ({ page, wire }: Fixture): Promise<void> => {
    await page.goto(`${wire.url}/`);
    await signIn(page, demo(name));
    // A page that is opened without signal needs its worker.
    await page.evaluate(async () => void (await navigator.serviceWorker?.ready));
  };

/** Everything a job needs, and an unreadable budget. */
export async function fillJob(page: Page, budget: string): Promise<void> {
  await page.getByLabel('Title').fill('Rehang the barn door');
  await page
    .getByLabel('Description')
    .fill('It has dropped on its hinges and drags on the concrete. The frame is sound. About 2.4 m high.');
  // A draft's town has a name once the towns are here.
  await page.locator('option[value=builder]').waitFor({ state: 'attached' });
  const town = page.getByRole('combobox', { name: /town/i });
  if ((await town.inputValue()) !== '') await town.clear();
  await chooseTown(page, /town/i, 'winton');
  await page.getByRole('radio', { name: 'Soon - Within 2 weeks' }).check({ force: true });
  await page.getByLabel('Category').selectOption('builder');
  await page.getByLabel(/Budget max/).fill(budget);
}

const openMenu = async ({ page }: Fixture): Promise<void> => {
  await page.getByRole('button', { name: 'Your account' }).click();
};

const close = async ({ page }: Fixture): Promise<void> => page.keyboard.press('Escape');

/** Runs in the page: looking takes longer than a change is held. */
function stopTheCountdown(): void {
  const { setTimeout: original } = window;
  window.setInterval = (() => 0) as unknown as typeof window.setInterval;
  window.setTimeout = ((act: () => void, ms?: number) =>
    ms !== undefined && ms > 9_000 && ms <= 10_000 ? 0 : original(act, ms)) as typeof window.setTimeout;
}

/** A person with jobs of their own, and tradies who answered. Nothing of theirs is changed. */
export const homeownerScenario: Scenario = {
  name: 'homeowner',
  prepare: asDemo('homeowner'),
  screens: [
    { name: 'dashboard-homeowner', at: '/dashboard', shows: /Your Posted Jobs \([1-9]/, isAlsoTiny: true },
    {
      name: 'dashboard-posted',
      isLike: 'payment-cancelled',
      at: '/dashboard?posted=true',
      shows: 'Easy as! Tradies can see your posted job',
    },
    { name: 'payment-cancelled', at: '/dashboard?subscription=cancelled', shows: 'Payment Cancelled', isWindow: true },
    { name: 'user-menu', at: '/dashboard', shows: 'Manage Account', isWindow: true, enter: openMenu, leave: close },
    {
      name: 'log-out',
      at: '/dashboard',
      shows: 'Stay logged in',
      isWindow: true,
      enter: async (fixture) => {
        await openMenu(fixture);
        await fixture.page.getByRole('menuitem', { name: 'Log Out' }).click();
      },
      leave: close,
    },
    { name: 'post-job', at: '/post-job', shows: /To post/, isAlsoTiny: true },
    {
      name: 'post-job-errors',
      at: '/post-job',
      shows: /things? to fix/,
      enter: async ({ page }) => {
        await fillJob(page, '12..5');
        await page.getByRole('button', { name: 'Post Job' }).click();
      },
    },
    {
      name: 'post-job-filled',
      at: '/post-job',
      shows: '3 photos added',
      enter: async ({ page }) => {
        await fillJob(page, '1250.50');
        await page
          .locator('input[type=file]:not([capture])')
          .setInputFiles(['fence-1', 'deck-1', 'roof-1'].map(picturePath));
      },
      // The draft would stay for the later screen states of this device.
      leave: async ({ page }) => {
        for (const label of ['Title', 'Description']) await page.getByLabel(label).fill('');
      },
    },
    {
      name: 'post-job-contact',
      at: '/post-job',
      shows: /There is a phone number and an email address/,
      isAlsoTiny: true,
      enter: async ({ page }) => {
        await page.getByLabel('Description').fill('It drags. Ring 027 555 0142, or mail barn.door@example.nz.');
      },
      leave: async ({ page }) => page.getByLabel('Description').fill(''),
    },
    {
      name: 'job-owner',
      at: ({ job }) => job('Spouting and downpipes on the back of the house'),
      shows: /Interested Tradies \([1-9]/,
      isAlsoTiny: true,
    },
    {
      name: 'job-owner-nobody',
      isLike: 'job-owner-closing',
      at: ({ job }) => job('Tidy up the section at my late father’s place'),
      shows: 'No tradies have expressed interest yet',
    },
    {
      name: 'job-owner-closing',
      at: ({ job }) => job('Tidy up the section at my late father’s place'),
      shows: /^Closing in \d+ seconds?\./,
      isAlsoTiny: true,
      enter: async ({ page }) => {
        await page.evaluate(stopTheCountdown);
        await page.getByRole('button', { name: 'Close Job' }).click();
      },
      leave: ({ page }) => page.getByRole('button', { name: 'Undo' }).click(),
    },
    { name: 'job-owner-closed', at: ({ job }) => job('Two power points in the laundry'), shows: 'Closed' },
    {
      name: 'lightbox',
      at: ({ job }) => job('Spouting and downpipes on the back of the house'),
      shows: /1 of \d/,
      isWindow: true,
      enter: ({ page }) => page.getByRole('button', { name: 'Enlarge photo 1', exact: false }).click(),
      leave: close,
    },
    {
      name: 'job-not-a-tradie',
      isLike: 'find-jobs-not-a-tradie',
      at: ({ job }) => job('Roof has rust around the nail heads'),
      shows: 'Tradie Access Required',
    },
    { name: 'find-jobs-not-a-tradie', at: '/find-jobs', shows: 'Tradie Access Required' },
    {
      name: 'edit-job',
      at: ({ jobId }) => `/edit-job/${jobId('Spouting and downpipes on the back of the house')}`,
      shows: 'To save',
    },
    {
      name: 'edit-job-errors',
      isLike: 'post-job-errors',
      at: ({ jobId }) => `/edit-job/${jobId('Tidy up the section at my late father’s place')}`,
      shows: /things? to fix/,
      enter: async ({ page }) => {
        await page.getByLabel(/Budget max/).fill('a lot');
        await page.getByRole('button', { name: 'Save Changes' }).click();
      },
      leave: ({ page }) => page.getByRole('button', { name: 'Cancel' }).click(),
    },
    {
      name: 'edit-job-closed',
      at: ({ jobId }) => `/edit-job/${jobId('Two power points in the laundry')}`,
      shows: 'Closed jobs cannot be edited.',
    },
    {
      name: 'edit-job-denied',
      isLike: 'edit-job-closed',
      at: ({ jobId }) => `/edit-job/${jobId('Roof has rust around the nail heads')}`,
      shows: 'You can only edit your own jobs.',
    },
    {
      name: 'become-tradie',
      isLike: 'become-tradie-errors',
      at: '/become-tradie',
      shows: 'Are you qualified?',
      isAlsoTiny: true,
    },
    {
      name: 'become-tradie-errors',
      at: '/become-tradie',
      shows: /things? to fix/,
      enter: async ({ page }) => {
        await page.getByLabel('NZBN').fill('9429040402544');
        await page.getByLabel('Contact phone').fill('12345');
        await page.getByRole('checkbox', { name: /I agree/ }).check({ force: true });
        await page.getByRole('button', { name: 'Continue to Payment' }).click();
        await page.getByRole('button', { name: 'Close notification' }).waitFor();
      },
    },
    { name: 'edit-account-homeowner', at: '/edit-account', shows: 'Account Information' },
    {
      name: 'edit-tradie-none',
      isLike: 'find-jobs-not-a-tradie',
      at: '/edit-tradie',
      shows: "You don't have a tradie profile",
    },
    { name: 'waiting-empty', at: '/waiting', shows: 'Everything has been sent' },
    { name: 'tradie-signed-in', at: ({ tradie }) => tradie('Taieri Fences and Decks'), shows: /trialing@demo.nz/ },
  ],
};
