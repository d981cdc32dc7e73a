import type { Scenario, Fixture } from './screen-state.ts';
import { resize } from './resize.ts';

const noSuchId = '01890000-0000-7000-8000-000000000000';

export const pressSignIn = async ({ page }: Fixture): Promise<void> => {
  await page.getByRole('link', { name: 'Login / Sign Up' }).first().click();
};

/** The toasts of these screen states stay until they are closed. */
export const closeToast = async ({ page }: Fixture): Promise<void> => {
  await page
    .getByRole('region', { name: 'Notifications (F8)' })
    .getByRole('button', { name: 'Close notification' })
    .click();
};

/** On a phone the filters are behind a button; opened there, they stay open at every width. */
export const pressFilters = async ({ page }: Fixture): Promise<void> => {
  const size = page.viewportSize();
  await resize(page, { width: 390, height: 844 });
  await page.getByRole('button', { name: /^Filters/ }).click();
  if (size !== null) await resize(page, size);
};

/** Signed out. */
export const visitorScenario: Scenario = {
  name: 'visitor',
  screens: [
    { name: 'landing', at: '/', shows: 'Connecting Homeowners & Tradies Across NZ', isAlsoTiny: true },
    { name: 'sign-in', at: '/', shows: 'Log in or sign up', isWindow: true, enter: pressSignIn, isAlsoTiny: true },
    {
      name: 'sign-in-errors',
      shows: 'Email is required',
      isWindow: true,
      enter: ({ page }) => page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click(),
    },
    {
      name: 'sign-in-forgot',
      isLike: 'sign-in-errors',
      shows: 'Please enter your email address first to receive a reset link.',
      isWindow: true,
      enter: ({ page }) => page.getByRole('dialog').getByRole('button', { name: 'Forgot password?' }).click(),
    },
    { name: 'email-verified', at: '/#type=signup', shows: 'Email Verified', isWindow: true },
    { name: 'find-tradies', at: '/find-tradies', shows: 'Rangitīkei Roofing & Spouting', isAlsoTiny: true },
    { name: 'find-tradies-filters', at: '/find-tradies', shows: 'Rangitīkei Roofing & Spouting', enter: pressFilters },
    { name: 'find-tradies-empty', at: '/find-tradies?q=zzz', shows: 'No tradies found matching your criteria' },
    {
      name: 'tradie-signed-out',
      at: ({ tradie }) => tradie('Rangitīkei Roofing & Spouting'),
      shows: 'Sign in to view contact information',
      isAlsoTiny: true,
    },
    { name: 'tradie-not-found', isLike: 'job-not-found', at: `/tradie/${noSuchId}`, shows: 'Tradie not found' },
    {
      name: 'job-signed-out',
      isLike: 'dashboard-signed-out',
      at: ({ job }) => job('Roof has rust around the nail heads'),
      shows: 'Sign in to express interest',
    },
    { name: 'job-not-found', at: `/job/${noSuchId}`, shows: 'Job not found' },
    // What the server writes itself has the same identity.
    { name: 'api-reference', at: '/api/docs', shows: 'Dwang: the calls', isAlsoTiny: true },
    { name: 'mailbox', at: '/dev/mailbox', shows: 'No mail server is set up', isAlsoTiny: true },
    { name: 'status', at: '/health', shows: 'What it leans on', isAlsoTiny: true },
    { name: 'dashboard-signed-out', at: '/dashboard', shows: 'Please sign in to see your dashboard' },
    {
      name: 'post-job-signed-out',
      isLike: 'dashboard-signed-out',
      at: '/post-job',
      shows: 'Please sign in to post a job',
    },
    {
      name: 'find-jobs-signed-out',
      isLike: 'dashboard-signed-out',
      at: '/find-jobs',
      shows: 'Please sign in to browse jobs',
    },
    {
      name: 'edit-job-signed-out',
      isLike: 'dashboard-signed-out',
      at: `/edit-job/${noSuchId}`,
      shows: 'Please sign in',
    },
    {
      name: 'become-tradie-signed-out',
      isLike: 'dashboard-signed-out',
      at: '/become-tradie',
      shows: 'Please sign in to continue',
    },
    {
      name: 'edit-tradie-signed-out',
      isLike: 'dashboard-signed-out',
      at: '/edit-tradie',
      shows: 'Please sign in to edit your profile',
    },
    {
      name: 'edit-account-signed-out',
      isLike: 'dashboard-signed-out',
      at: '/edit-account',
      shows: 'Please sign in to edit your account',
    },
    {
      name: 'waiting-signed-out',
      isLike: 'dashboard-signed-out',
      at: '/waiting',
      shows: 'Please sign in to see what waits',
    },
    { name: 'legal', at: '/legal', shows: 'Privacy Policy', isAlsoTiny: true },
    { name: 'not-found', at: '/no/such/page', shows: '404 Page Not Found' },
    { name: 'dev-ui', at: '/dev/ui', shows: 'Buttons' },
  ],
};
