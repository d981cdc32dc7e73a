import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import type { AuthState, SignedIn } from '../context/app-context.ts';
import type { Cell } from '../lib/cell.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

const places = async () =>
  within(await screen.findByRole('navigation', { name: 'Main' }))
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);
const post = () => ({
  id: makeTestId(),
  title: 'Fix the gate',
  description: 'It sags.',
  locationId: 'southland/winton',
  budgetMax: null,
  urgency: 'soon' as const,
  categoryId: 'builder',
});

test('a homeowner has their jobs, a new one, the tradies and their account one tap away; what waits joins them', async () => {
  const { phone } = await screens.show('/legal', screens.harness.addHomeowner());
  await waitFor(async () =>
    expect(await places()).toEqual([
      ['My jobs', '/dashboard'],
      ['Post', '/post-job'],
      ['Tradies', '/find-tradies'],
      ['Account', '/edit-account'],
    ]),
  );
  const { sync, goOffline } = must(phone, 'the phone');
  goOffline();
  await sync.mutate('job.post', post());
  expect(await screen.findByRole('link', { name: 'Waiting to send: 1' })).toHaveAttribute('href', '/waiting');
});

test('a tradie has the jobs, the jobs of interest and their profile one tap away, and sees where they are', async () => {
  const tradie = screens.harness.addTradie();
  const { user, address } = await screens.show('/dashboard', tradie);
  await waitFor(async () =>
    expect(await places()).toEqual([
      ['Jobs', '/find-jobs'],
      ['Interested', '/dashboard#jobs-interested'],
      ['Profile', `/tradie/${tradie.tradieId}`],
    ]),
  );
  expect(screen.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/dashboard');
  const jobs = screen.getByRole('link', { name: 'Jobs' });
  expect(jobs).not.toHaveAttribute('aria-current');
  await user.click(jobs);
  await waitFor(() => expect(address()).toBe('/find-jobs'));
  expect(jobs).toHaveAttribute('aria-current', 'page');
});

test('while it is not known whether a person is a tradie, they are shown no places of the other kind; a person without a profile is a homeowner', async () => {
  const { phone, app } = await screens.show('/legal', screens.harness.addTradie(), { offline: true });
  await waitFor(async () => expect(await places()).toHaveLength(3));
  await act(() => must(phone, 'the phone').db.users.clear());
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Jobs' })).toBeNull());
  expect(screen.queryByRole('link', { name: 'My jobs' })).toBeNull();
  const authState = app.authState as Cell<AuthState>;
  act(() => authState.set({ ...(authState.current() as SignedIn), lacksProfile: true }));
  expect(await screen.findByRole('link', { name: 'My jobs' })).toBeVisible();
});

test('the place where one is already leads to its top, and leaves the filters as they are', async () => {
  const { user, address } = await screens.show('/find-jobs?category=builder', screens.harness.addTradie());
  const jobs = await screen.findByRole('link', { name: 'Jobs' });
  await user.click(jobs);
  expect(jobs).toHaveAttribute('aria-current', 'page');
  expect(address()).toBe('/find-jobs?category=builder');
});

test('“Interested” leads to the list of them on the dashboard, where a screen reader goes on', async () => {
  const { user } = await screens.show('/legal', screens.harness.addTradie());
  await user.click(await screen.findByRole('link', { name: 'Interested' }));
  const heading = await screen.findByRole('heading', { name: /^Your Interested Jobs/ });
  await waitFor(() => expect(heading).toHaveFocus());
});

test('closing the menu, the first time too, puts the focus back on its button', async () => {
  const { user } = await screens.show('/legal', screens.harness.addHomeowner());
  const button = await screen.findByRole('button', { name: 'Your account' });
  button.focus();
  await user.keyboard('{Enter}');
  await screen.findByRole('menuitem', { name: 'Manage Account' });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  await waitFor(() => expect(screen.getByRole('button', { name: 'Your account' })).toHaveFocus());
});
