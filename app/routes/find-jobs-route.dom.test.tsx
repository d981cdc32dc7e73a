import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Job } from '../../shared/tables/index.ts';
import { makeInterest, makeJob } from '../../shared/testing/make.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

function addJobs(...jobs: Job[]) {
  screens.house.server.write((rows) => jobs.forEach((job) => rows.jobs.set(job.id, job)));
  return jobs;
}
const titles = () => screen.queryAllByRole('article').map((card) => within(card).getByRole('heading').textContent);

test('signed out', async () => {
  await screens.show('/find-jobs');
  expect(await screen.findByText('Please sign in to browse jobs')).toBeTruthy();
});

test('a homeowner is sent to become a tradie', async () => {
  await screens.show('/find-jobs', screens.house.addHomeowner());
  expect(await screen.findByText('Tradie Access Required')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Become a Tradie' }).getAttribute('href')).toBe('/become-tradie');
});

test('a lapsed tradie sees no jobs, also without signal, from the moment the valid-until has passed', async () => {
  addJobs(makeJob({ title: 'Deck' }));
  await screens.show('/find-jobs', screens.house.addTradie({ subscriptionStatus: 'canceled' }));
  expect(await screen.findByText('Subscription Required')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Go to Dashboard' }).getAttribute('href')).toBe('/dashboard');
  expect(titles()).toEqual([]);
});

test('a tradie finds jobs, narrows them, and the address keeps what was chosen', async () => {
  const [, roof] = addJobs(
    makeJob({ title: 'Deck in Whangārei', locationId: 'northland/whangarei', categoryId: 'builder', budgetMax: 9_000 }),
    makeJob({ title: 'Roof leak', budgetMax: 30_000 }),
    makeJob({ title: 'Paint a fence', budgetMax: null }),
  );
  const tradie = screens.house.addTradie();
  screens.house.server.write((rows) => {
    const interest = makeInterest({ jobId: roof?.id ?? '', tradieId: tradie.tradieId ?? '', userId: tradie.id });
    rows.interests.set(interest.id, interest);
  });
  const { user, address } = await screens.show('/find-jobs', tradie);
  // The budget starts at 10,000, so the roof is not among them yet.
  await waitFor(() => expect(titles()).toEqual(['Paint a fence', 'Deck in Whangārei']));
  expect(screen.getByText(/^Updated \d+:\d\d [ap]m$/)).toBeTruthy();

  await user.click(screen.getByRole('button', { name: 'Reset filters' }));
  await waitFor(() => expect(titles()).toEqual(['Paint a fence', 'Roof leak', 'Deck in Whangārei']));
  await waitFor(() => expect(address()).toBe('/find-jobs?max=50000'));
  expect(screen.getByText('Interest Expressed')).toBeTruthy();

  await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'whangarei');
  await waitFor(() => expect(titles()).toEqual(['Deck in Whangārei']));
  await waitFor(() => expect(address()).toBe('/find-jobs?q=whangarei&max=50000'));

  await user.clear(screen.getByRole('searchbox', { name: 'Search' }));
  await user.click(screen.getByRole('checkbox', { name: 'Interest not expressed' }));
  await waitFor(() => expect(titles()).toEqual(['Roof leak']));
  await user.click(screen.getByRole('checkbox', { name: 'Interest expressed' }));
  expect(await screen.findByText('No jobs found matching your criteria')).toBeTruthy();
});

test('filters in the address are there on arrival', async () => {
  addJobs(makeJob({ title: 'Deck', budgetMax: 500 }), makeJob({ title: 'Fence', budgetMax: 400 }));
  await screens.show('/find-jobs?sort=lowest', screens.house.addTradie());
  await waitFor(() => expect(titles()).toEqual(['Fence', 'Deck']));
});

test('a new job appears by itself, and without signal the last copy stays', async () => {
  const { phone } = await screens.show('/find-jobs', screens.house.addTradie());
  expect(await screen.findByText('No jobs found matching your criteria')).toBeTruthy();
  addJobs(makeJob({ title: 'Just posted' }));
  await waitFor(() => expect(titles()).toEqual(['Just posted']));
  screens.house.goOffline(...(phone === undefined ? [] : [phone]));
  phone?.sync.sendNow();
  expect(await screen.findByText(/^Offline\. Showing jobs from/)).toBeTruthy();
  expect(titles()).toEqual(['Just posted']);
});
