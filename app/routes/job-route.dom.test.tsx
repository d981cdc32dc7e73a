import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AnswerOf } from '../../shared/api/index.ts';
import { must } from '../../shared/lib/must.ts';
import type { Job } from '../../shared/tables/index.ts';
import { makeInterest, makeJob, makeTestId } from '../../shared/testing/make.ts';
import { CallRejected } from '../api/call.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await screens.close();
});

function addJob(changes: Partial<Job> = {}): Job {
  const job = makeJob({ title: 'Roof leak', ...changes });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  return job;
}
const byLink = (job: Job): AnswerOf<'jobs.read'> => {
  const { userId: _userId, closedAt: _closedAt, ...rest } = job;
  return { ...rest, location: { id: 'southland/winton', region: 'Southland', town: 'Winton' } };
};
const express = () => screen.findByRole('button', { name: 'Express Interest' });

test('a tradie expresses interest, and the server has it [§1, §2 /job/{id}, §4 job, §8]', async () => {
  const job = addJob();
  const { user } = await screens.show(`/job/${job.id}`, screens.harness.addTradie());
  expect(await screen.findByRole('heading', { level: 1, name: 'Roof leak' })).toBeVisible();
  await user.type(await screen.findByRole('textbox', { name: /Note/ }), 'Thursday suits me.');
  await user.click(await express());
  expect(await screen.findByText('Interest expressed')).toBeVisible();
  expect(await screen.findByText('The homeowner will be able to see your details and contact you.')).toBeVisible();
  expect(await screen.findByText('You have expressed interest in this job')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Express Interest' })).toBeNull();
  expect([...screens.harness.server.rows.interests.values()]).toMatchObject([
    { jobId: job.id, note: 'Thursday suits me.' },
  ]);
});

test('without signal the interest is saved on this phone and claims nothing [§offline]', async () => {
  const job = addJob();
  const { user, phone } = await screens.show(`/job/${job.id}`, screens.harness.addTradie(), { offline: true });
  const said = () =>
    must(screen.getByText('Interested so far').nextElementSibling, 'how many are interested').textContent;
  await express();
  expect(said()).toBe('Nobody yet');
  await user.click(await express());
  expect(await screen.findByText("We'll send your interest when you're back in coverage.")).toBeVisible();
  expect(screen.queryByText('You have expressed interest in this job')).toBeNull();
  expect(said(), 'what only waits here is not counted').toBe('Nobody yet');
  screens.harness.goOnline(...(phone === undefined ? [] : [phone]));
  expect(await screen.findByText('You have expressed interest in this job', {}, { timeout: 10_000 })).toBeVisible();
  await waitFor(() => expect(said()).toBe('1 tradie'));
});

test('[C12] a clock that jumps past the end of the subscription takes neither the form nor the note: the server decides', async () => {
  const job = addJob();
  const tradie = screens.harness.addTradie({ subscriptionValidUntil: new Date(Date.now() + 86_400_000).toISOString() });
  const { user, phone } = await screens.show(`/job/${job.id}`, tradie);
  const { db, sync } = must(phone, 'the phone');
  await user.type(await screen.findByRole('textbox', { name: /Note/ }), 'Thursday suits me.');
  screens.harness.goOffline(must(phone, 'the phone'));
  const now = Date.now.bind(Date);
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 366 * 86_400_000);
  // Whatever reads the person's row looks at the clock anew.
  await db.users.update(tradie.id, { firstName: 'Mere' });
  expect(await screen.findByText("By this phone's clock your subscription has ended.", { exact: false })).toBeVisible();
  expect(screen.queryByText('Subscription Required')).toBeNull();
  await user.click(await express());
  expect(
    await screen.findByText("We'll send your interest when you're back in coverage.", {}, { timeout: 10_000 }),
  ).toBeVisible();
  clock.mockRestore();
  screens.harness.goOnline(must(phone, 'the phone'));
  sync.sendNow();
  await waitFor(
    () =>
      expect([...screens.harness.server.rows.interests.values()]).toMatchObject([
        { jobId: job.id, note: 'Thursday suits me.' },
      ]),
    { timeout: 10_000 },
  );
});

test('shows place, budget, day, urgency, description and photos; a photo is enlarged [§2 /job/{id}]', async () => {
  const job = addJob({
    description: 'It drips on the bed.',
    locationId: 'southland/winton',
    budgetMax: 12_000.5,
    urgency: 'urgent',
    categoryId: 'builder',
    createdAt: '2026-01-09T21:42:00.000Z',
    images: ['job-photos/j/1.jpg', 'job-photos/j/2.jpg'],
  });
  const { user } = await screens.show(`/job/${job.id}`, screens.harness.addTradie());
  expect(await screen.findByRole('heading', { level: 1, name: 'Roof leak' })).toBeVisible();
  for (const text of ['Winton, Southland', '$12,000.50', '10 Jan 2026', 'Urgent - ASAP', 'It drips on the bed.'])
    expect(await screen.findByText(text)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Enlarge photo 2 of 2' }));
  const enlarged = within(await screen.findByRole('dialog', { name: 'Photo 2 of 2' }));
  expect(enlarged.getByRole('img', { name: 'Photo 2 of Roof leak' })).toHaveAttribute(
    'src',
    '/storage/v1/object/public/job-photos/j/2.jpg',
  );
});

test('the browser’s Back puts an enlarged photo away and stays on the page; closing it leaves nothing behind for Back', async () => {
  const job = addJob({ images: ['job-photos/j/1.jpg', 'job-photos/j/2.jpg'] });
  const { user, address, goTo, back } = await screens.show('/dashboard', screens.harness.addTradie());
  await goTo(`/job/${job.id}`);
  const photo = await screen.findByRole('button', { name: 'Enlarge photo 2 of 2' });
  await user.click(photo);
  await screen.findByRole('dialog', { name: 'Photo 2 of 2' });
  await back();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(address()).toBe(`/job/${job.id}`);
  await user.click(photo);
  await screen.findByRole('dialog', { name: 'Photo 2 of 2' });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(address()).toBe(`/job/${job.id}`);
  await back();
  await waitFor(() => expect(address()).toBe('/dashboard'));
});

test('after Express Interest by keyboard the focus is on what is said of it, not at the top of the page', async () => {
  const { user } = await screens.show(`/job/${addJob().id}`, screens.harness.addTradie());
  (await express()).focus();
  await user.keyboard('{Enter}');
  // Whatever is said of it meanwhile: that it is saved, that it is on its way, and at last that it is there.
  await waitFor(() => {
    expect(document.body).not.toHaveFocus();
    expect(document.activeElement).toHaveTextContent('You have expressed interest in this job');
  });
});

test('while the job is being read its place is held, and nothing is called missing [§2 /job/{id}]', async () => {
  await screens.show(`/job/${makeTestId()}`, undefined, {
    answers: { 'jobs.read': () => new Promise<never>(() => undefined) },
  });
  expect(await screen.findByText('Loading job')).toBeVisible();
  expect(screen.queryByText('Job not found')).toBeNull();
});

test('the form says that contact details are sent with it; Not Interested leads back to the jobs [§2 /job/{id}]', async () => {
  const { user, address } = await screens.show(`/job/${addJob().id}`, screens.harness.addTradie());
  expect(
    await screen.findByText(
      'Your business name, email and phone are shared with the homeowner automatically. They contact you.',
    ),
  ).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Not Interested' }));
  await waitFor(() => expect(address()).toBe('/find-jobs'));
});

test('a homeowner sees the job by link, and the way to become one', async () => {
  const job = addJob();
  await screens.show(`/job/${job.id}`, screens.harness.addHomeowner(), {
    answers: { 'jobs.read': async () => byLink(job) },
  });
  expect(await screen.findByRole('heading', { level: 1, name: 'Roof leak' })).toBeVisible();
  expect(await screen.findByRole('link', { name: 'Become a Tradie' })).toHaveAttribute('href', '/become-tradie');
  expect(screen.queryByRole('button', { name: 'Express Interest' })).toBeNull();
});

test('a tradie whose subscription is over sees the job by link, and cannot answer', async () => {
  const job = addJob();
  await screens.show(`/job/${job.id}`, screens.harness.addTradie({ subscriptionStatus: 'canceled' }), {
    answers: { 'jobs.read': async () => byLink(job) },
  });
  expect(await screen.findByRole('heading', { level: 1, name: 'Roof leak' })).toBeVisible();
  expect(await screen.findByText('Subscription Required')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Express Interest' })).toBeNull();
});

test('a job that is only here by its link is saved for later, and answered with the note [§2 /job/{id}, §offline]', async () => {
  const { harness } = screens;
  const job = makeJob({ title: 'Roof leak' });
  const { user, phone } = await screens.show(`/job/${job.id}`, harness.addTradie(), {
    offline: true,
    answers: { 'jobs.read': async () => byLink(job) },
  });
  await user.click(await screen.findByRole('button', { name: 'Save for later' }));
  expect(await screen.findByRole('button', { name: 'Saved for later' })).toBeVisible();
  await user.type(await screen.findByRole('textbox', { name: /Note/ }), 'Thursday suits me.');
  await user.click(await express());
  expect(await screen.findByText("We'll send your interest when you're back in coverage.")).toBeVisible();
  harness.server.write((rows) => rows.jobs.set(job.id, job));
  const device = must(phone, 'the phone');
  harness.goOnline(device);
  expect(await screen.findByText('You have expressed interest in this job')).toBeVisible();
  const { interests, marks } = harness.server.rows;
  expect([...interests.values()]).toMatchObject([{ jobId: job.id, note: 'Thursday suits me.' }]);
  expect([...marks.values()]).toMatchObject([{ jobId: job.id, title: 'Roof leak' }]);
  expect(await device.db.refused.toArray()).toEqual([]);
});

test('a job that is only here by its link is hidden', async () => {
  const job = makeJob({ title: 'Roof leak' });
  const { user, phone, address } = await screens.show(`/job/${job.id}`, screens.harness.addTradie(), {
    offline: true,
    answers: { 'jobs.read': async () => byLink(job) },
  });
  await user.click(await screen.findByRole('button', { name: 'Not Interested' }));
  await waitFor(() => expect(address()).toBe('/find-jobs'));
  expect(await must(phone, 'the phone').db.marks.toArray()).toMatchObject([{ jobId: job.id, title: 'Roof leak' }]);
});

test('a closed job that one never answered takes no interest [§2 /job/{id}]', async () => {
  const job = makeJob({ title: 'Roof leak', status: 'closed' });
  await screens.show(`/job/${job.id}`, screens.harness.addTradie(), {
    answers: { 'jobs.read': async () => byLink(job) },
  });
  expect(await screen.findByText('This job is closed and no longer accepting interest')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Express Interest' })).toBeNull();
});

test('an interest that cannot be queued is told, and the note is still there [§8]', async () => {
  const { user, phone, app } = await screens.show(`/job/${addJob().id}`, screens.harness.addTradie());
  vi.spyOn(must(phone, 'the phone').sync, 'mutate').mockRejectedValue(new Error(''));
  await user.type(await screen.findByRole('textbox', { name: /Note/ }), 'Thursday suits me.');
  await user.click(await express());
  await waitFor(() =>
    expect(app.toasts.current()).toMatchObject({
      title: 'Error',
      description: 'Failed to express interest',
      variant: 'destructive',
    }),
  );
  expect(screen.getByRole('textbox', { name: /Note/ })).toHaveValue('Thursday suits me.');
});

test('a closed job that one answered says so, and takes no interest [§2 /job/{id}]', async () => {
  const tradie = screens.harness.addTradie();
  const job = addJob({ status: 'closed' });
  screens.harness.server.write((rows) => {
    const interest = makeInterest({ jobId: job.id, tradieId: tradie.tradieId ?? '', userId: tradie.id });
    rows.interests.set(interest.id, interest);
  });
  await screens.show(`/job/${job.id}`, tradie);
  expect(await screen.findByText('You expressed interest in this job (now closed)')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Express Interest' })).toBeNull();
});

test('signed out, by link: the job, and the Sign In prompt where the action would be [§2 /job/{id}]', async () => {
  const job = makeJob({ title: 'Roof leak' });
  await screens.show(`/job/${job.id}`, undefined, { answers: { 'jobs.read': async () => byLink(job) } });
  expect(await screen.findByRole('heading', { level: 1, name: 'Roof leak' })).toBeVisible();
  expect(screen.getByText('Winton, Southland')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Sign In' })).toBeEnabled();
});

const gone = async (): Promise<never> => {
  throw new CallRejected(404, JSON.stringify({ error: 'No such job.', code: 'not-found' }));
};

test('an unknown id is not found [§2 /job/{id}]', async () => {
  const person = screens.harness.addTradie();
  const first = await screens.show(`/job/${makeTestId()}`, person, { answers: { 'jobs.read': gone } });
  expect(await screen.findByRole('heading', { level: 1, name: 'Job not found' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to Jobs' })).toHaveAttribute('href', '/find-jobs');
  expect(first.address()).toMatch(/^\/job\//);
});

test('without signal a job is read from the last copy, with its time [§offline]', async () => {
  const job = addJob({ description: 'Over the lean-to.' });
  await screens.show(`/job/${job.id}`, screens.harness.addTradie(), { offline: true });
  expect(await screen.findByText('Over the lean-to.')).toBeVisible();
  expect(await screen.findByText(/^Updated \d+:\d\d [ap]m$/)).toBeVisible();
});

test('without signal an id never seen here is not on this phone yet [§offline]', async () => {
  await screens.show(`/job/${makeTestId()}`, screens.harness.addTradie(), { offline: true });
  expect(await screen.findByText('Not saved on this phone yet')).toBeVisible();
  expect(screen.queryByText('Job not found')).toBeNull();
});

test('a job opened without signal after the subscription’s date says so at once, and not that it was never saved here', async () => {
  const job = addJob();
  const tradie = screens.harness.addTradie({ subscriptionValidUntil: '2026-03-01T00:00:00.000Z' });
  // Whether the session can be renewed is learnt late without signal: the call hangs meanwhile.
  await screens.show(`/job/${job.id}`, tradie, {
    offline: true,
    answers: { 'jobs.read': () => new Promise(() => undefined) },
  });
  expect(await screen.findByText('Subscription Required')).toBeVisible();
  expect(screen.getByText(/By this phone's date your subscription ended on 1 Mar 2026/)).toBeVisible();
  expect(screen.queryByText('Not saved on this phone yet')).toBeNull();
});

test('without signal an id never seen here is said not to be on this phone at once, also where the call hangs', async () => {
  await screens.show(`/job/${makeTestId()}`, screens.harness.addTradie(), {
    offline: true,
    answers: { 'jobs.read': () => new Promise(() => undefined) },
  });
  expect(await screen.findByText('Not saved on this phone yet')).toBeVisible();
});

test('the note that is being written as the owner closes the job stays on its page, with title and town', async () => {
  const job = addJob();
  const { user, phone } = await screens.show(`/job/${job.id}`, screens.harness.addTradie(), {
    answers: { 'jobs.read': gone },
  });
  await user.type(await screen.findByLabelText(/^Note to the homeowner/), 'We are near on Tuesday.');
  screens.harness.server.write((rows) => rows.jobs.set(job.id, { ...job, status: 'closed' }));
  await screens.harness.sync(must(phone, 'a phone'));
  expect(await screen.findByText('This job is closed and no longer accepting interest')).toBeVisible();
  expect(await screen.findByText('We are near on Tuesday.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Copy text' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Find similar' })).toBeVisible();
  expect(screen.getByRole('heading', { level: 1, name: job.title })).toBeVisible();
  expect(document.body).not.toHaveFocus();
});
