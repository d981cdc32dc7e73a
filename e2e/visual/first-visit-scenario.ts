import { demo, signIn } from '../person.ts';
import type { Scenario, Fixture } from './screen-state.ts';

/** No worker: it would answer from its cache, and the test could not intercept. */
const options = { serviceWorkers: 'block' } as const;

/** Requests to these are accepted and never answered. */
async function hold({ page }: Fixture, ...patterns: string[]): Promise<void> {
  for (const pattern of patterns) await page.route(pattern, () => undefined);
}

const release = async ({ page }: Fixture): Promise<void> => page.unrouteAll({ behavior: 'ignoreErrors' });

/** Nothing is on this device yet, and the network is slow. */
export const firstVisitScenario: Scenario = {
  name: 'first visit',
  options,
  screens: [
    // First: once the configuration has been fetched, the device stores it.
    {
      name: 'start-failed',
      at: '/dashboard',
      shows: 'Unable to load application configuration',
      before: async ({ page }) => void (await page.route('**/api/config', (route) => route.abort())),
      leave: release,
    },
    {
      name: 'starting',
      at: '/dashboard',
      shows: 'Loading application...',
      isWaiting: true,
      before: (fixture) => hold(fixture, '**/api/config'),
      leave: release,
    },
    {
      name: 'find-tradies-loading',
      // The whole directory's document begins with tradies.
      at: '/find-tradies?sort=z-a',
      shows: 'Fetching tradies',
      isWaiting: true,
      before: (fixture) => hold(fixture, '**/api/sync/shelves/**', '**/api/tradies/**'),
    },
    // The server has written the business into the page.
    {
      name: 'tradie-loading',
      at: ({ tradie }) => tradie('Rangitīkei Roofing & Spouting'),
      shows: 'Rangitīkei Roofing & Spouting',
      isWaiting: true,
      leave: release,
    },
    {
      name: 'job-loading',
      at: ({ job }) => job('Roof has rust around the nail heads'),
      shows: 'Loading job',
      isWaiting: true,
      before: (fixture) => hold(fixture, '**/api/jobs/**'),
      leave: release,
    },
  ],
};

/** Just signed in, and the first answer has not come. */
export const firstSignInScenario: Scenario = {
  name: 'first sign-in',
  options,
  prepare: async (fixture) => {
    await hold(fixture, '**/api/sync', '**/api/sync/shelves/**');
    await fixture.page.goto(`${fixture.wire.url}/`);
    await signIn(fixture.page, demo('tradie'));
  },
  screens: [
    { name: 'dashboard-loading', at: '/dashboard', shows: 'Fetching your jobs', isWaiting: true },
    { name: 'find-jobs-loading', at: '/find-jobs', shows: 'Fetching jobs', isWaiting: true },
    { name: 'edit-account-loading', at: '/edit-account', shows: 'Loading your account', isWaiting: true },
    { name: 'edit-tradie-loading', at: '/edit-tradie', shows: 'Loading', isWaiting: true },
  ],
};
