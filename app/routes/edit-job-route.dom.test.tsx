import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { Job, User } from '../../shared/tables/index.ts';
import { makeJob, makeTestId } from '../../shared/testing/make.ts';
import { CallRejected } from '../api/call.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
let owner: User;
beforeEach(async () => {
  screens = await openScreens();
  owner = screens.harness.addHomeowner();
});
afterEach(() => screens.close());

function addJob(changes: Partial<Job> = {}): Job {
  const job = makeJob({
    userId: owner.id,
    title: 'Roof leak',
    description: 'It drips.',
    locationId: 'southland/winton',
    categoryId: 'builder',
    urgency: 'soon',
    budgetMax: 500,
    ...changes,
  });
  writeJob(job);
  return job;
}
const writeJob = (job: Job) => screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
const onServer = (job: Job) => must(screens.harness.server.rows.jobs.get(job.id), 'the job');
const field = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name });
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save Changes' });
const picture = (name: string, type = 'image/heic') => new File([new Uint8Array([1, 2, 3])], name, { type });
const savedForLater = "Saved on this phone. We'll send it when you're back in coverage.";
const urlOf = (job: Job, name: string) => `job-photos/${job.id}/${name}`;

test('signed out, it asks to sign in', async () => {
  await screens.show(`/edit-job/${makeTestId()}`);
  expect(await screen.findByText('Please sign in to edit your job')).toBeVisible();
});

test('an unknown id is not found, and the way leads to the dashboard [§2 /edit-job/{id}]', async () => {
  const gone = async (): Promise<never> => {
    throw new CallRejected(404, JSON.stringify({ error: 'No such job.', code: 'not-found' }));
  };
  await screens.show(`/edit-job/${makeTestId()}`, owner, { answers: { 'jobs.read': gone } });
  expect(await screen.findByRole('heading', { level: 1, name: 'Job not found' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Go to Dashboard' })).toHaveAttribute('href', '/dashboard');
});

test('another person’s job is not theirs to edit [§2 /edit-job/{id}]', async () => {
  const job = addJob();
  await screens.show(`/edit-job/${job.id}`, screens.harness.addTradie());
  expect(await screen.findByRole('heading', { level: 1, name: 'Access Denied' })).toBeVisible();
  expect(screen.getByText('You can only edit your own jobs.')).toBeVisible();
});

test('a closed job cannot be edited [§2 /edit-job/{id}]', async () => {
  const job = addJob({ status: 'closed' });
  await screens.show(`/edit-job/${job.id}`, owner);
  expect(await screen.findByRole('heading', { level: 1, name: 'Job is Closed' })).toBeVisible();
  expect(screen.getByText('Closed jobs cannot be edited.')).toBeVisible();
});

test('the Edit Job button opens the form with what is there; only what was changed is sent, and the page goes back [§2, §2 /job/{id}, §2 /edit-job/{id}, §5, §8]', async () => {
  const job = addJob();
  const { user, phone, address } = await screens.show(`/job/${job.id}`, owner);
  await user.click(await screen.findByRole('button', { name: 'Edit Job' }));
  expect(await field('Title')).toHaveValue('Roof leak');
  expect(await field('Description')).toHaveValue('It drips.');
  expect(screen.getByRole('combobox', { name: 'Town' })).toHaveValue('Winton');
  expect(screen.getByRole('radio', { name: /Soon/ })).toBeChecked();
  expect(screen.getByRole('combobox', { name: 'Category' })).toHaveValue('builder');
  expect(await screen.findByLabelText(/Budget max/)).toHaveValue('500');
  expect(save()).toBeDisabled();
  writeJob({ ...job, description: 'It pours.' });
  await screens.harness.sync(must(phone, 'the phone'));
  await waitFor(async () => expect(await field('Description')).toHaveValue('It pours.'));
  await user.clear(await field('Title'));
  await user.type(await field('Title'), 'Roof leaks badly');
  await user.clear(screen.getByLabelText(/Budget max/));
  await user.click(save());
  expect(await screen.findByText('Job Updated!', {}, { timeout: 10_000 })).toBeVisible();
  await waitFor(() => expect(address()).toBe(`/job/${job.id}`));
  expect(onServer(job)).toMatchObject({ title: 'Roof leaks badly', description: 'It pours.', budgetMax: null });
});

test('without signal it is saved on this phone, and called updated only once the server has it [§offline]', async () => {
  const job = addJob();
  const { user, phone, goTo, address } = await screens.show('/dashboard', owner, { offline: true });
  await goTo(`/edit-job/${job.id}`);
  await user.type(await field('Title'), ' again');
  await user.click(save());
  expect(await screen.findByText(savedForLater, {}, { timeout: 10_000 })).toBeVisible();
  await waitFor(() => expect(address()).toBe('/dashboard'));
  expect(screen.queryByText('Job Updated!')).toBeNull();
  expect((await must(phone, 'the phone').db.outbox.toArray()).map(({ args }) => args)).toEqual([
    { id: job.id, set: { title: 'Roof leak again' }, base: { title: 'Roof leak' } },
  ]);
  screens.harness.goOnline(must(phone, 'the phone'));
  expect(await screen.findByText('Job Updated!', {}, { timeout: 10_000 })).toBeVisible();
  expect(onServer(job).title).toBe('Roof leak again');
});

test('an address whose id is in capitals leads to one’s own job all the same', async () => {
  const { address } = await screens.show(`/edit-job/${addJob().id.toUpperCase()}`, owner);
  expect(await field('Title')).toHaveValue('Roof leak');
  expect(address()).toMatch(/^\/edit-job\//);
});

test('the keyboard goes on from the next photo where one is removed, and from the way to choose others after the last', async () => {
  const job = addJob();
  writeJob({ ...job, images: ['1.jpg', '2.jpg'].map((name) => urlOf(job, name)) });
  const { user } = await screens.show(`/edit-job/${job.id}`, owner);
  const remove = (photo: number) =>
    screen.findByRole('button', { name: `Remove photo ${photo}: photo ${photo} of this job` });
  const removeByKeys = async () => {
    (await screen.findAllByRole('button', { name: /^Remove photo 1/ }))[0]?.focus();
    await user.keyboard('{Enter}');
  };
  await remove(2);
  await removeByKeys();
  await waitFor(() => expect(screen.getByRole('button', { name: /^Remove photo 1/ })).toHaveFocus());
  await removeByKeys();
  await waitFor(() => expect(screen.getByLabelText('Choose photos')).toHaveFocus());
});

test('photos: those on the job and new ones are five at most, of any kind; one taken off leaves the job, a new one goes to the upload queue [§5]', async () => {
  const job = addJob();
  writeJob({ ...job, images: ['1.jpg', '2.jpg', '3.jpg'].map((name) => urlOf(job, name)) });
  const { user, phone } = await screens.show(`/edit-job/${job.id}`, owner);
  const { db } = must(phone, 'the phone');
  await user.click(await screen.findByRole('button', { name: 'Remove photo 2: photo 2 of this job' }));
  await user.upload(await screen.findByLabelText('Choose photos'), [
    picture('a.heic'),
    picture('b.heic'),
    picture('c.heic'),
    picture('d.heic'),
  ]);
  expect(
    await screen.findByText(/5 photos added\. That is all there is room for\. 1 more did not fit\./),
  ).toBeVisible();
  await user.click(screen.getByRole('button', { name: /^Remove photo \d: b\.heic$/ }));
  await user.click(save());
  expect(await screen.findByText('Job Updated!', {}, { timeout: 10_000 })).toBeVisible();
  expect(onServer(job).images).toEqual(['1.jpg', '3.jpg'].map((name) => urlOf(job, name)));
  expect((await db.photos.toCollection().sortBy('name')).map(({ name, jobId, state }) => [name, jobId, state])).toEqual(
    ['a.heic', 'c.heic'].map((name) => [name, job.id, 'waiting']),
  );
  await waitFor(async () => expect(await db.drafts.count()).toBe(0));
});

test('a photo that is still unsynced stands in the form, and taken off it is never sent [§offline]', async () => {
  const job = addJob();
  const { user, phone, goTo, address } = await screens.show(`/edit-job/${job.id}`, owner, { offline: true });
  const { db } = must(phone, 'the phone');
  await user.upload(await screen.findByLabelText('Choose photos'), picture('a.heic'));
  await screen.findByText('1 photo added');
  await user.click(save());
  await waitFor(() => expect(address()).toBe(`/job/${job.id}`), { timeout: 10_000 });
  await goTo(`/edit-job/${job.id}`);
  await user.click(await screen.findByRole('button', { name: 'Remove photo 1: a.heic' }));
  await user.click(save());
  await waitFor(async () => expect(await db.photos.count()).toBe(0));
});

test('leaving keeps what was typed and the photos; Cancel goes back and forgets [§2 /edit-job/{id}, §offline]', async () => {
  const job = addJob();
  const { user, goTo, phone, address } = await screens.show(`/job/${job.id}`, owner);
  const { db } = must(phone, 'the phone');
  await goTo(`/edit-job/${job.id}`);
  await user.type(await field('Title'), ' again');
  await user.upload(await screen.findByLabelText('Choose photos'), picture('a.heic'));
  await screen.findByText('1 photo added');
  await waitFor(async () => expect(await db.drafts.count()).toBe(2));
  await goTo('/legal');
  await goTo(`/edit-job/${job.id}`);
  expect(await field('Title')).toHaveValue('Roof leak again');
  expect(await screen.findByRole('button', { name: 'Remove photo 1: a.heic' })).toBeEnabled();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(address()).toBe('/legal'));
  expect(await db.drafts.count()).toBe(0);
  expect(await db.photos.count()).toBe(0);
});

test('an edit that cannot be queued, and does not say why, is told in the words for it [§8]', async () => {
  const { user, phone, app } = await screens.show(`/edit-job/${addJob().id}`, owner);
  vi.spyOn(must(phone, 'the phone').sync, 'mutate').mockRejectedValue(new Error(''));
  await user.type(await field('Title'), ' again');
  await user.click(save());
  await waitFor(() =>
    expect(app.toasts.current()).toMatchObject({
      title: 'Error',
      description: 'Failed to update job',
      variant: 'destructive',
    }),
  );
  expect(await field('Title')).toHaveValue('Roof leak again');
});

test('a field that is gone is named before anything is sent', async () => {
  const { user } = await screens.show(`/edit-job/${addJob().id}`, owner);
  await user.clear(await field('Title'));
  expect(await screen.findByText('To save: add a title')).toBeVisible();
  expect(save()).toBeDisabled();
});

test('changed elsewhere while the form is open: both values are shown, and the person chooses', async () => {
  const job = addJob();
  const { user, phone } = await screens.show(`/edit-job/${job.id}`, owner);
  await user.type(await field('Title'), ' badly');
  writeJob({ ...job, title: 'Roof and gutter', description: 'It pours.' });
  await screens.harness.sync(must(phone, 'the phone'));
  const [mine, other] = ['Yours', 'From the other device'].map((name) => screen.findByRole('group', { name }));
  expect(within(await mine!).getByText('Roof leak badly')).toBeVisible();
  expect(within(await other!).getByText('Roof and gutter')).toBeVisible();
  expect(save()).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Keep the other' }));
  expect(await field('Title')).toHaveValue('Roof and gutter');
  expect(await field('Description')).toHaveValue('It pours.');
  expect(screen.queryByRole('button', { name: 'Keep the other' })).toBeNull();
});

test('a stale edit that was rejected opens here again from what waits, and mine can be kept [§offline]', async () => {
  const job = addJob();
  const { user, phone, address } = await screens.show('/waiting', owner, { offline: true });
  const { db, sync } = must(phone, 'the phone');
  await sync.mutate('job.edit', {
    id: job.id,
    set: { title: 'Mine', description: 'Mine too.' },
    base: { title: 'Roof leak', description: 'It drips.' },
  });
  writeJob({ ...job, title: 'Theirs' });
  screens.harness.goOnline(must(phone, 'the phone'));
  await user.click(await screen.findByRole('button', { name: 'Edit' }, { timeout: 10_000 }));
  expect(await field('Title')).toHaveValue('Mine');
  expect(await screen.findByText('Theirs')).toBeVisible();
  await user.type(await field('Description'), ' And more.');
  await user.click(screen.getByRole('button', { name: 'Keep mine' }));
  expect(await screen.findByText('Job Updated!', {}, { timeout: 10_000 })).toBeVisible();
  expect(onServer(job)).toMatchObject({ title: 'Mine', description: 'Mine too. And more.' });
  expect(await db.refused.count()).toBe(0);
  await waitFor(() => expect(address()).toBe('/waiting'));
});

test('rejected while the person waits: the form stays with every word, both values, and the choice', async () => {
  const job = addJob();
  const { user, phone, address } = await screens.show(`/edit-job/${job.id}`, owner);
  const { db, hold, inFlight, settle } = must(phone, 'the phone');
  await user.type(await field('Title'), ' badly');
  hold();
  screens.harness.server.write((rows) => rows.jobs.set(job.id, { ...job, title: 'Theirs' }));
  await user.click(save());
  await waitFor(() => expect(inFlight().some(({ request }) => request.mutations.length > 0)).toBe(true));
  for (const request of inFlight()) await request.deliver();
  await settle();
  expect(await screen.findByText('Theirs')).toBeVisible();
  expect(await field('Title')).toHaveValue('Roof leak badly');
  await user.click(screen.getByRole('button', { name: 'Keep the other' }));
  await waitFor(async () => expect(await db.refused.count()).toBe(0));
  await waitFor(() => expect(address()).toBe(`/job/${job.id}`));
  expect(onServer(job).title).toBe('Theirs');
});

test('closed meanwhile: the form says so, and keeps the text', async () => {
  const job = addJob();
  const { user, phone } = await screens.show(`/edit-job/${job.id}`, owner);
  await user.type(await field('Title'), ' badly');
  writeJob({ ...job, status: 'closed', closedAt: screens.harness.server.now() });
  await screens.harness.sync(must(phone, 'the phone'));
  expect(await screen.findByText('Closed jobs cannot be edited.')).toBeVisible();
  expect(await field('Title')).toHaveValue('Roof leak badly');
  expect(save()).toBeDisabled();
});

test('without signal an id never seen here is not on this phone yet [§offline]', async () => {
  await screens.show(`/edit-job/${makeTestId()}`, owner, { offline: true });
  expect(await screen.findByText('Not saved on this phone yet')).toBeVisible();
});
