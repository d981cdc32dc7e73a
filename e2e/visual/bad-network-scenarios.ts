import { signedIn } from '../account.ts';
import { demo } from '../person.ts';
import { picturePath } from '../../sync-server/db/seed/demo/picture-path.ts';
import { asDemo, fillJob } from './homeowner-scenario.ts';
import type { Scenario, Fixture } from './screen-state.ts';
import { pressSignIn } from './visitor-scenario.ts';

const spouting = 'Spouting and downpipes on the back of the house';
const palings = 'Replace eight palings and two posts';
const garden = 'Tidy up the section at my late father’s place';

const edit = async ({ page, wire, ids }: Fixture, title: string, changes: Record<string, string>): Promise<void> => {
  await page.goto(`${wire.url}/edit-job/${ids.jobId(title)}`);
  for (const [label, value] of Object.entries(changes)) await page.getByLabel(label).fill(value);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.getByText("We'll send it when you're back in coverage.").waitFor();
};

/**
 * Signed in, and everything a homeowner is promised without signal is here: the app, their jobs, the towns and the
 * trades. Then the signal goes.
 */
async function loseSignal(fixture: Fixture): Promise<void> {
  const { page, wire, context } = fixture;
  await asDemo('homeowner')(fixture);
  await page.getByRole('heading', { name: /Your Posted Jobs \([1-9]/ }).waitFor();
  await page.goto(`${wire.url}/post-job`);
  await page.locator('option[value=builder]').waitFor({ state: 'attached' });
  await context.setOffline(true);
}

/** A homeowner without signal who goes on all the same. */
export const homeownerAwayScenario: Scenario = {
  name: 'homeowner without signal',
  prepare: async (fixture) => {
    await loseSignal(fixture);
    const { page, wire } = fixture;
    await page.goto(`${wire.url}/post-job`);
    await fillJob(page, '1250');
    await page.locator('input[type=file]:not([capture])').setInputFiles(['fence-1', 'deck-1'].map(picturePath));
    await page.getByText('2 photos added').waitFor();
    await page.getByRole('button', { name: 'Post Job' }).click();
    await page.getByText("We'll send it when you're back in coverage.").waitFor();
    await edit(fixture, spouting, { Title: 'Spouting, downpipes and one flashing' });
  },
  screens: [
    { name: 'dashboard-waiting', at: '/dashboard', shows: 'Rehang the barn door' },
    { name: 'waiting', at: '/waiting', shows: 'Send now', isAlsoTiny: true },
    {
      name: 'job-waiting',
      at: '/dashboard',
      shows: 'No tradies have expressed interest yet',
      enter: ({ page }) => page.getByRole('link', { name: 'Rehang the barn door' }).click(),
    },
    {
      name: 'log-out-unsent',
      at: '/dashboard',
      shows: 'Log out and lose them',
      isWindow: true,
      enter: async ({ page }) => {
        await page.getByRole('button', { name: 'Your account' }).click();
        await page.getByRole('menuitem', { name: 'Log Out' }).click();
      },
      leave: ({ page }) => page.keyboard.press('Escape'),
    },
  ],
};

/** Changes the server rejected: one made on top of another device's, one of a job that was closed meanwhile. */
export const rejectedScenario: Scenario = {
  name: 'homeowner refused',
  prepare: async (fixture) => {
    await loseSignal(fixture);
    const { context, server, ids, page } = fixture;
    await edit(fixture, garden, {
      Title: 'Clear and mow the whole section',
      Description: 'Everything but the feijoas goes.',
    });
    await edit(fixture, palings, { Description: 'Nine palings now, and the gate.' });
    const { email, password } = demo('homeowner');
    const elsewhere = await signedIn(server, email, password);
    await elsewhere.patch(`/api/jobs/${ids.jobId(garden)}`, { title: 'Clear the section, keep the lemon tree' });
    await elsewhere.patch(`/api/jobs/${ids.jobId(palings)}/close`, { reason: 'Closed by user' });
    await context.setOffline(false);
    await page.goto(`${fixture.wire.url}/waiting`);
    await page.getByText(/Not accepted \(2\)/).waitFor();
  },
  screens: [
    { name: 'waiting-refused', at: '/waiting', shows: 'Not accepted (2)', isAlsoTiny: true },
    { name: 'dashboard-refused', at: '/dashboard', shows: 'Not accepted' },
    { name: 'job-refused', at: ({ job }) => job(palings), shows: 'Not accepted' },
    { name: 'edit-job-stale', at: ({ jobId }) => `/edit-job/${jobId(garden)}`, shows: 'Choose which version to keep' },
  ],
};

/** Signed out and without signal; then networks that are neither up nor down. */
export const visitorAwayScenario: Scenario = {
  name: 'visitor without signal',
  prepare: async ({ page, context, wire }) => {
    await page.goto(`${wire.url}/find-tradies`);
    await page.getByText('Rangitīkei Roofing & Spouting').waitFor();
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await context.setOffline(true);
  },
  screens: [
    { name: 'find-tradies-offline', at: '/find-tradies', shows: 'Offline.' },
    { name: 'sign-in-offline', shows: 'You need signal for this', isWindow: true, enter: pressSignIn },
  ],
};

export const badNetworkScenario: Scenario = {
  name: 'tradie on a bad road',
  prepare: async (fixture) => {
    await asDemo('trialing')(fixture);
    await fixture.page.goto(`${fixture.wire.url}/find-jobs`);
    await fixture.page.getByText(/\d+ jobs/).waitFor();
  },
  screens: [
    {
      name: 'find-jobs-unreachable',
      at: '/find-jobs',
      shows: "Can't reach Dwang, trying again.",
      before: async ({ wire }) => wire.become('busy'),
    },
    {
      name: 'find-jobs-slow',
      at: '/find-jobs',
      shows: 'Slow connection.',
      before: async ({ wire }) => wire.become('silent'),
    },
  ],
  finish: async ({ wire }) => wire.become('through'),
};
