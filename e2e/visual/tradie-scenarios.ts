import { signedIn } from '../account.ts';
import { demo } from '../person.ts';
import { asDemo } from './homeowner-scenario.ts';
import type { Scenario, Fixture } from './screen-state.ts';
import { closeToast, pressFilters } from './visitor-scenario.ts';

const expressInterest = async ({ page }: Fixture, note: string): Promise<void> => {
  await page.getByLabel(/Note to the homeowner/).fill(note);
  await page.getByRole('button', { name: 'Express Interest' }).click();
};

/**
 * The same fields changed here without signal and on another device; then the signal is back, and the server has
 * rejected what came late.
 */
async function editProfileElsewhereToo({ page, wire, server, context }: Fixture): Promise<void> {
  await page.goto(`${wire.url}/edit-tradie`);
  await page.getByLabel('Contact phone').fill('027 555 0143');
  await page.getByLabel('Business description').fill('Roofs, spouting and flashings from Feilding to Taihape.');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.getByText("We'll send it when you're back in coverage.").waitFor();
  const { email, password } = demo('tradie');
  const elsewhere = await signedIn(server, email, password);
  const { id } = await elsewhere.get<{ id: string }>('/api/tradies/me');
  await elsewhere.patch(`/api/tradies/${id}`, {
    contactPhone: '021 555 0198',
    description: 'Roofing and spouting, on the Coast and inland.',
  });
  await context.setOffline(false);
  await page.goto(`${wire.url}/waiting`);
  await page.getByText(/Not accepted \(1\)/).waitFor();
}

/** Sun mode on or off, and the size of the text, in the person's menu. */
async function pressSun({ page }: Fixture, size: string): Promise<void> {
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Sun mode' }).click();
  await page.getByRole('menuitemradio', { name: size }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
}

/** A tradie whose subscription runs. */
export const tradieScenario: Scenario = {
  name: 'tradie',
  hasAlerts: true,
  prepare: asDemo('tradie'),
  screens: [
    { name: 'dashboard-tradie', at: '/dashboard', shows: /Your Interested Jobs \([1-9]/, isAlsoTiny: true },
    { name: 'find-jobs', at: '/find-jobs', shows: /\d+ jobs/, isAlsoTiny: true },
    {
      name: 'find-jobs-sun',
      at: '/find-jobs',
      shows: /\d+ jobs/,
      isAlsoTiny: true,
      enter: (fixture) => pressSun(fixture, 'Largest'),
      leave: (fixture) => pressSun(fixture, 'Usual'),
    },
    { name: 'find-jobs-filters', at: '/find-jobs?region=Otago', shows: /\d+ jobs?/, enter: pressFilters },
    {
      name: 'find-jobs-beside',
      at: '/find-jobs?q=ranchslider',
      shows: 'Not Interested',
      enter: async ({ page }) => {
        await page.getByRole('article').first().waitFor();
        await page.keyboard.press('j');
      },
    },
    {
      name: 'find-jobs-nearest',
      isLike: 'find-jobs-filters',
      at: '/find-jobs?sort=nearest&within=200',
      shows: 'Nearest to Marton first.',
      enter: pressFilters,
    },
    {
      name: 'find-jobs-map',
      isLike: 'find-jobs-map-chosen',
      at: '/find-jobs?map=true&max=50000',
      shows: 'Choose a circle',
      isAlsoTiny: true,
    },
    {
      name: 'find-jobs-map-chosen',
      at: '/find-jobs?map=true&max=50000&sort=nearest',
      shows: 'Chosen on the map',
      enter: ({ page }) =>
        page
          .getByRole('region', { name: 'Map of jobs' })
          .getByRole('button', { name: /jobs?$/ })
          .first()
          .click(),
    },
    {
      name: 'phone-place-denied',
      at: '/find-jobs',
      shows: 'Location is turned off for Dwang',
      isWindow: true,
      enter: async (fixture) => {
        await pressFilters(fixture);
        await fixture.page.getByRole('button', { name: 'Use my location' }).click();
        await fixture.page.getByRole('button', { name: 'Find my place' }).click();
      },
      leave: ({ page }) => page.getByRole('button', { name: 'Not now' }).click(),
    },
    { name: 'find-jobs-empty', at: '/find-jobs?q=zzz', shows: 'No jobs found matching your criteria' },
    {
      name: 'job-tradie',
      at: ({ job }) => job('Deck boards gone soft by the ranchslider'),
      shows: 'Not Interested',
      isAlsoTiny: true,
    },
    {
      name: 'job-later',
      at: ({ job }) => job('Deck boards gone soft by the ranchslider'),
      shows: 'Tomorrow, 7 am',
      isAlsoTiny: true,
      enter: async (fixture) => {
        await fixture.page.getByRole('button', { name: 'Save for later' }).click();
        await closeToast(fixture);
      },
    },
    { name: 'find-jobs-later', at: '/find-jobs?later=true&max=50000', shows: 'Saved for later (1)', isAlsoTiny: true },
    {
      name: 'searches',
      at: '/find-jobs',
      shows: /within 50 km of/,
      isWindow: true,
      isAlsoTiny: true,
      enter: async (fixture) => {
        const { page } = fixture;
        await page.getByRole('button', { name: 'Save the search My trades near me' }).click();
        await closeToast(fixture);
        await page.getByRole('button', { name: 'Edit searches' }).click();
      },
    },
    {
      name: 'search-form',
      shows: 'Leave empty for all trades.',
      isWindow: true,
      isAlsoTiny: true,
      enter: ({ page }) => page.getByRole('button', { name: /^Edit: / }).click(),
      leave: async ({ page }) => {
        await page.getByRole('button', { name: 'Back' }).last().click();
        await page.getByRole('button', { name: /^Delete: / }).click();
        await page.keyboard.press('Escape');
      },
    },
    {
      name: 'job-interested',
      at: ({ job }) => job('Handrail for the front steps'),
      shows: 'You have expressed interest in this job',
    },
    { name: 'tradie-own', at: ({ tradie }) => tradie('Rangitīkei Roofing & Spouting'), shows: 'Edit Profile' },
    {
      name: 'edit-tradie',
      isLike: 'edit-tradie-errors',
      at: '/edit-tradie',
      shows: 'This uses your account email address',
    },
    {
      name: 'edit-tradie-errors',
      at: '/edit-tradie',
      shows: /things? to fix/,
      enter: async ({ page }) => {
        await page.getByLabel('Contact phone').fill('');
        await page.getByRole('button', { name: 'Save Changes' }).click();
      },
      leave: ({ page }) => page.getByRole('button', { name: 'Cancel' }).click(),
    },
    { name: 'edit-account-tradie', at: '/edit-account', shows: 'Manage Billing' },
    { name: 'become-tradie-already', at: '/become-tradie', shows: "You're a tradie already" },
    {
      name: 'interest-sent',
      at: ({ job }) => job('Level the slab for a garden shed on Waiheke'),
      shows: 'Interest expressed',
      isWindow: true,
      enter: async (fixture) => {
        await expressInterest(fixture, 'Kia ora, we are out that way on Tuesday.');
        // The answer was brought into the window: what is half under the header that stays is no target.
        await fixture.page.evaluate(() => window.scrollTo(0, 0));
      },
      leave: closeToast,
    },
    {
      name: 'install',
      shows: 'Keep Dwang on your phone',
      // The event of a browser that could install this; one without a screen of its own never sends it.
      enter: async ({ page }) => {
        // One question at a time: that about alerts comes first.
        await page.getByRole('button', { name: 'Not now' }).click();
        await page.evaluate(() => window.dispatchEvent(new Event('beforeinstallprompt')));
        // Pressing the bar has moved the page, and what is half under the header that stays is no target.
        await page.evaluate(() => window.scrollTo(0, 0));
      },
    },
  ],
};

/** A tradie whose subscription has ended. */
export const lapsedScenario: Scenario = {
  name: 'lapsed tradie',
  prepare: asDemo('lapsed'),
  screens: [
    { name: 'dashboard-lapsed', at: '/dashboard', shows: 'Subscribe Again', isAlsoTiny: true },
    { name: 'find-jobs-lapsed', at: '/find-jobs', shows: 'Subscription Required' },
    {
      name: 'job-closed-interested',
      at: ({ job }) => job('Two power points in the laundry'),
      shows: 'You expressed interest in this job (now closed)',
    },
    { name: 'edit-account-lapsed', isLike: 'edit-account-tradie', at: '/edit-account', shows: 'Inactive' },
    {
      name: 'become-tradie-again',
      isLike: 'become-tradie-already',
      at: '/become-tradie',
      shows: "Your subscription isn't running",
    },
  ],
};

/** A tradie without signal. */
export const tradieAwayScenario: Scenario = {
  name: 'tradie without signal',
  prepare: async (fixture) => {
    await asDemo('tradie')(fixture);
    await fixture.page.goto(`${fixture.wire.url}/find-jobs`);
    await fixture.page.getByText(/\d+ jobs/).waitFor();
    await fixture.context.setOffline(true);
  },
  screens: [
    { name: 'find-jobs-offline', at: '/find-jobs', shows: /Offline\. Showing jobs/, isAlsoTiny: true },
    {
      name: 'find-jobs-map-missing',
      at: '/find-jobs',
      shows: "The outline isn't on this phone yet",
      enter: ({ page }) => page.getByRole('button', { name: 'Map', exact: true }).click(),
      isAlsoTiny: true,
    },
    {
      name: 'interest-saved',
      at: ({ job }) => job('Deck boards gone soft by the ranchslider'),
      shows: "We'll send it when you're back in coverage.",
      isWindow: true,
      enter: (fixture) => expressInterest(fixture, 'We do decks too. Friday?'),
    },
    {
      name: 'job-interest-waiting',
      isLike: 'interest-saved',
      at: ({ job }) => job('Deck boards gone soft by the ranchslider'),
      shows: 'Saved on this phone',
    },
    { name: 'dashboard-offline', at: '/dashboard', shows: /1 change waiting/ },
    { name: 'job-not-here', at: '/job/01890000-0000-7000-8000-000000000000', shows: 'Not saved on this phone yet' },
    { name: 'edit-account-offline', at: '/edit-account', shows: 'You need signal for this' },
    {
      name: 'edit-tradie-stale',
      at: '/edit-tradie',
      shows: 'Choose which version to keep',
      before: editProfileElsewhereToo,
    },
  ],
};
