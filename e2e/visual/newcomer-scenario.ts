import { mailTo } from '../account.ts';
import { giveCredentials } from '../person.ts';
import type { Scenario } from './screen-state.ts';

const newcomer = { email: 'newcomer@example.nz', password: 'kowhai-flowers' };

/** A person signs up: the second and third step of the dialog, and an empty dashboard. */
export const newcomerScenario: Scenario = {
  name: 'newcomer',
  prepare: async ({ page, wire }) => {
    await page.goto(`${wire.url}/`);
    await giveCredentials(page, newcomer);
  },
  screens: [
    { name: 'sign-in-confirm', shows: newcomer.email, isWindow: true },
    {
      name: 'sign-in-details',
      shows: 'First name',
      isWindow: true,
      enter: async ({ page, server }) => {
        const mail = await mailTo(server, newcomer.email, /confirm/i);
        await fetch(mail.links[0] ?? '', { redirect: 'manual' });
        await page.getByRole('dialog').getByRole('button', { name: "I've Confirmed My Email" }).click();
      },
    },
    {
      name: 'dashboard-empty',
      shows: 'Post Your First Job',
      enter: async ({ page }) => {
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('First name').fill('Aroha');
        await dialog.getByLabel('Last name').fill('Ngata');
        await dialog.getByRole('button', { name: 'Complete Profile' }).click();
      },
    },
  ],
};
