import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { Job } from '../../shared/tables/index.ts';
import { defaultPreferences } from '../../shared/tables/preferences.ts';
import { makeInterest, makeJob } from '../../shared/testing/make.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

function addJobs(...jobs: Job[]) {
  screens.harness.server.write((rows) => jobs.forEach((job) => rows.jobs.set(job.id, job)));
}
const titles = () => screen.queryAllByRole('article').map((card) => within(card).getByRole('heading').textContent);
const server = () => screens.harness.server.rows;

test('Not Interested takes the job out of the list, Undo brings it back, and Hidden shows what was hidden', async () => {
  const roof = makeJob({ title: 'Roof leak' });
  addJobs(roof, makeJob({ title: 'Deck' }));
  const tradie = screens.harness.addTradie();
  const { user, goTo } = await screens.show(`/job/${roof.id}`, tradie);
  await user.click(await screen.findByRole('button', { name: 'Not Interested' }));
  expect(await screen.findByText('Job hidden')).toBeVisible();
  await waitFor(() => expect(titles()).toEqual(['Deck']));
  await waitFor(() => expect([...server().marks.values()]).toMatchObject([{ userId: tradie.id, jobId: roof.id }]));
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(titles()).toHaveLength(2));
  await waitFor(() => expect([...server().marks.values()]).toMatchObject([{ hiddenAt: null }]));

  await goTo(`/job/${roof.id}`);
  await user.click(await screen.findByRole('button', { name: 'Not Interested' }));
  await waitFor(() => expect(titles()).toEqual(['Deck']));
  await user.click(screen.getByRole('button', { name: 'Hidden (1)' }));
  await waitFor(() => expect(titles()).toEqual(['Roof leak']));
  await goTo(`/job/${roof.id}`);
  await user.click(await screen.findByRole('button', { name: 'Show in my list' }));
  expect(await screen.findByRole('button', { name: 'Not Interested' })).toBeEnabled();
});

test('without signal a job is hidden all the same, and says nothing of an interest', async () => {
  const roof = makeJob({ title: 'Roof leak' });
  addJobs(roof, makeJob({ title: 'Deck' }));
  const { user, phone, goTo } = await screens.show(`/job/${roof.id}`, screens.harness.addTradie(), { offline: true });
  await user.click(await screen.findByRole('button', { name: 'Not Interested' }));
  await waitFor(() => expect(titles()).toEqual(['Deck']));
  expect(server().marks.size).toBe(0);
  await goTo(`/job/${roof.id}`);
  expect(await screen.findByRole('button', { name: 'Express Interest' })).toBeEnabled();
  expect(screen.queryByText('Saved on this phone')).toBeNull();
  screens.harness.goOnline(must(phone, 'the phone'));
  await waitFor(() => expect(server().marks.size).toBe(1), { timeout: 10_000 });
});

test('without signal Undo of Not Interested leaves nothing that waits, and so does Undo of a job saved for later', async () => {
  const roof = makeJob({ title: 'Roof leak' });
  addJobs(roof, makeJob({ title: 'Deck' }));
  const { user, phone } = await screens.show(`/job/${roof.id}`, screens.harness.addTradie(), { offline: true });
  const waiting = () => must(phone, 'the phone').db.outbox.count();
  await user.click(await screen.findByRole('button', { name: 'Not Interested' }));
  await waitFor(() => expect(titles()).toEqual(['Deck']));
  expect(await waiting()).toBe(1);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Job shown again')).toBeVisible();
  await waitFor(() => expect(titles()).toHaveLength(2));
  expect(await waiting()).toBe(0);

  await user.click(screen.getAllByRole('button', { name: /^Save for later/ })[0]!);
  await screen.findByText('Saved for later');
  expect(await waiting()).toBe(1);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(async () => expect(await waiting()).toBe(0));
});

function addInterest() {
  const owner = screens.harness.addHomeowner();
  const tradie = screens.harness.addTradie({}, { businessName: 'Winton Roofing' });
  const job = makeJob({ title: 'Roof leak', userId: owner.id, interestCount: 1 });
  const people = { jobId: job.id, tradieId: tradie.tradieId ?? '', userId: tradie.id, ownerId: owner.id };
  const interest = makeInterest(people);
  addJobs(job);
  screens.harness.server.write((rows) => rows.interests.set(interest.id, interest));
  return { owner, tradie, job, interest };
}

test('an interest that the homeowner opens is new to them for as long as they look, and counts as seen', async () => {
  const { owner, job, interest } = addInterest();
  const { goTo } = await screens.show(`/job/${job.id}`, owner);
  const card = await screen.findByRole('article', { name: 'Winton Roofing' });
  expect(within(card).getByText('New')).toBeVisible();
  await waitFor(() => expect(server().interests.get(interest.id)).toMatchObject({ isSeen: true }));
  expect(within(card).getByText('New')).toBeVisible();
  await goTo('/dashboard');
  await screen.findByRole('heading', { name: /Your Posted Jobs/ });
  await goTo(`/job/${job.id}`);
  const again = await screen.findByRole('article', { name: 'Winton Roofing' });
  await waitFor(() => expect(within(again).queryByText('New')).toBeNull());
});

test('an interest that is seen without signal is sent later, and no notice says that a change waits', async () => {
  const { owner, job, interest } = addInterest();
  const { phone, goTo } = await screens.show('/dashboard', owner, { offline: true });
  const { db } = must(phone, 'the phone');
  await goTo(`/job/${job.id}`);
  await screen.findByRole('article', { name: 'Winton Roofing' });
  await waitFor(async () => expect((await db.outbox.toArray()).map(({ name }) => name)).toEqual(['interest.see']));
  await screen.findByText(/^Offline\./);
  expect(screen.queryByText(/1 change/)).toBeNull();
  await goTo('/waiting');
  expect(await screen.findByText('Everything has been sent')).toBeVisible();
  screens.harness.goOnline(must(phone, 'the phone'));
  await waitFor(() => expect(server().interests.get(interest.id)).toMatchObject({ isSeen: true }), { timeout: 10_000 });
});

test('a tradie learns that the homeowner has seen their interest, on the job and on the dashboard', async () => {
  const { tradie, job, interest } = addInterest();
  const { goTo } = await screens.show(`/job/${job.id}`, tradie);
  expect(await screen.findByText(/^Sent [^·]*$/)).toBeVisible();
  const { harness } = screens;
  harness.server.write((rows) =>
    rows.interests.set(interest.id, { ...interest, seenAt: interest.createdAt, isSeen: true }),
  );
  await harness.sync();
  expect(await screen.findByText(/^Sent .* · Seen by the homeowner$/)).toBeVisible();
  await goTo('/dashboard');
  expect(await screen.findByText('Seen by the homeowner')).toBeVisible();
});

test('a homeowner who would rather not has it seen without the tradie learning it', async () => {
  const { owner, job, interest } = addInterest();
  const { user } = await screens.show('/dashboard', owner);
  await screen.findByRole('heading', { name: /Your Posted Jobs/ });
  screens.harness.server.write((rows) =>
    rows.preferences.set(owner.id, { ...defaultPreferences(owner.id), tellsSeen: false }),
  );
  await user.click(screen.getByRole('link', { name: job.title }));
  const tells = await screen.findByRole('checkbox', { name: 'Tell tradies when I have seen their interest' });
  await waitFor(() => expect(server().interests.get(interest.id)).toMatchObject({ isSeen: false }));
  await waitFor(() => expect(server().interests.get(interest.id)?.seenAt).toEqual(expect.any(String)));
  await waitFor(() => expect(tells).not.toBeChecked());
  await user.click(tells);
  await waitFor(() => expect(server().preferences.get(owner.id)).toMatchObject({ tellsSeen: true }));
});

test('the owner keeps a note on a tradie that no other person gets', async () => {
  const { owner, job, interest } = addInterest();
  const { user } = await screens.show(`/job/${job.id}`, owner);
  await user.click(await screen.findByRole('button', { name: 'Add a note for yourself' }));
  await user.type(await screen.findByRole('textbox', { name: /Your note/ }), 'Rang, comes on Monday');
  await user.click(screen.getByRole('button', { name: 'Save note' }));
  expect(await screen.findByText('Your note: Rang, comes on Monday')).toBeVisible();
  await waitFor(() =>
    expect(server().interests.get(interest.id)).toMatchObject({ ownerNote: 'Rang, comes on Monday' }),
  );
});

test('filters are saved as a search without signal, looked at again in a tap, and left again', async () => {
  addJobs(makeJob({ title: 'Roof leak' }), makeJob({ title: 'Deck' }));
  const { user, phone } = await screens.show('/find-jobs?q=roof', screens.harness.addTradie(), { offline: true });
  await waitFor(() => expect(titles()).toEqual(['Roof leak']));
  await user.click(screen.getByRole('button', { name: 'Save this search' }));
  const name = 'All trades, “roof”, up to $10,000';
  expect(await screen.findByRole('button', { name: `${name} Saved on this phone` })).toBeEnabled();
  expect(screen.queryByRole('button', { name: 'Save this search' })).toBeNull();
  screens.harness.goOnline(must(phone, 'the phone'));
  await waitFor(
    () => expect([...server().searches.values()]).toMatchObject([{ name, words: 'roof', maxBudget: 10_000 }]),
    { timeout: 10_000 },
  );
  await user.click(await screen.findByRole('button', { name }));
  await waitFor(() => expect(titles()).toHaveLength(2));
  await user.click(screen.getByRole('button', { name }));
  await waitFor(() => expect(titles()).toEqual(['Roof leak']));
});
