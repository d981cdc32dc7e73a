import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { Job } from '../../shared/tables/index.ts';
import { makeInterest, makeJob } from '../../shared/testing/make.ts';
import { CallRejected } from '../api/call.ts';
import type { Phone } from '../testing/open-device-harness.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

/* An interest that came too late, on the page of its job. */

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

function addJob(changes: Partial<Job> = {}): Job {
  const job = makeJob({ title: 'Roof leak', ...changes });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  return job;
}
const subject = 'Your interest in “Roof leak”, Winton, Southland';
const tooLate = 'This job closed before your interest was sent.';
/** Without signal; the job's link leads nowhere any more. */
const goneOnline = {
  offline: true,
  answers: {
    'jobs.read': async () => {
      throw new CallRejected(404, JSON.stringify({ error: 'No such job.', code: 'not-found' }));
    },
  },
} as const;
const express = () => screen.findByRole('button', { name: 'Express Interest' });

/** The interest waits, its job is closed, and the phone hears so. */
async function closesMeanwhile(job: Job, phone: Phone): Promise<void> {
  await screen.findByText("We'll send your interest when you're back in coverage.");
  const { server } = screens.harness;
  server.write((rows) => rows.jobs.set(job.id, { ...job, status: 'closed', closedAt: server.now() }));
  screens.harness.goOnline(phone);
  await waitFor(async () => expect(await phone.db.refused.count()).toBe(1), { timeout: 10_000 });
}

test('a job that closed meanwhile: not accepted, with the title, the town, the reason and the note, and what can still be done', async () => {
  const job = addJob();
  const { user, phone, app } = await screens.show(`/job/${job.id}`, screens.harness.addTradie(), { offline: true });
  await user.type(await screen.findByRole('textbox', { name: /Note/ }), 'Thursday suits me.');
  await user.click(await express());
  await closesMeanwhile(job, must(phone, 'a phone'));
  await waitFor(() =>
    expect(app.toasts.current()).toMatchObject({ title: 'Not accepted', description: `${subject}: ${tooLate}` }),
  );
  const note = await screen.findByText('Not accepted: Your interest in “Roof leak”');
  const said = within(must(note.closest<HTMLElement>('[data-tone]'), 'the banner'));
  expect(said.getByText('Winton, Southland')).toBeVisible();
  expect(said.getByText(tooLate)).toBeVisible();
  expect(said.getByText('Thursday suits me.')).toBeVisible();
  expect(said.getByRole('link', { name: 'Find similar' })).toHaveAttribute(
    'href',
    '/find-jobs?category=spouting&region=Southland',
  );
  await user.click(said.getByRole('button', { name: 'Copy text' }));
  expect(await navigator.clipboard.readText()).toBe('Thursday suits me.');
});

test('on the dashboard the one thing that was not accepted is named, and of two things their number is said', async () => {
  const [job, other] = [addJob(), addJob({ title: 'Blocked drain' })];
  const tradie = screens.harness.addTradie();
  const { user, phone, goTo } = await screens.show(`/job/${job.id}`, tradie, { offline: true });
  await user.click(await express());
  await closesMeanwhile(job, must(phone, 'a phone'));
  await goTo('/dashboard');
  expect(await screen.findByText(`Not accepted: ${subject}.`)).toBeVisible();
  expect(screen.getByText('1 thing needs you')).toBeVisible();
  const { db } = must(phone, 'a phone');
  const [rejected] = await db.refused.toArray();
  await db.refused.put({ ...must(rejected, 'what was rejected'), uid: 'another', args: { id: 'x', jobId: other.id } });
  expect(await screen.findByText('2 things need you')).toBeVisible();
  expect(screen.getByText('Not accepted, or not sent.')).toBeVisible();
});

test('a note to a job that was answered on another phone is kept, and sending it again is not offered', async () => {
  const job = addJob();
  const tradie = screens.harness.addTradie();
  const { user, phone, goTo } = await screens.show(`/job/${job.id}`, tradie, { offline: true });
  await user.type(await screen.findByRole('textbox', { name: /Note/ }), 'Thursday suits me.');
  await user.click(await express());
  await screen.findByText("We'll send your interest when you're back in coverage.");
  const people = { jobId: job.id, tradieId: tradie.tradieId ?? '', userId: tradie.id, ownerId: job.userId };
  const first = makeInterest({ ...people, note: 'Free on Monday.' });
  screens.harness.server.write((rows) => rows.interests.set(first.id, first));
  screens.harness.goOnline(must(phone, 'a phone'));
  await goTo('/waiting');
  const reason = await screen.findByText('You had answered this job already, so this note was not sent.');
  const item = within(must(reason.closest('article'), 'the item'));
  expect(item.getByText('Thursday suits me.')).toBeVisible();
  expect(await item.findByRole('button', { name: 'Open job' })).toBeVisible();
  expect(item.queryByRole('button', { name: 'Retry' })).toBeNull();
  expect(item.getByRole('button', { name: 'Discard' })).toBeVisible();
});

test('a job that the server turns down at once is named by the toast as well', async () => {
  const job = addJob();
  const { user, app } = await screens.show(`/job/${job.id}`, screens.harness.addTradie());
  const { server } = screens.harness;
  const button = await express();
  // Past the server's own writing, so that the phone does not hear of it before the tap.
  server.rows.jobs.set(job.id, { ...job, status: 'closed', closedAt: server.now() });
  await user.click(button);
  await waitFor(() =>
    expect(app.toasts.current()).toMatchObject({ title: 'Not accepted', description: `${subject}: ${tooLate}` }),
  );
});

test('a job that closed meanwhile keeps its title, its town and its words on its own page, also when that is opened anew', async () => {
  const job = addJob({ description: 'Over the lean-to.' });
  const tradie = screens.harness.addTradie();
  const { user, phone, goTo } = await screens.show(`/job/${job.id}`, tradie, goneOnline);
  await user.click(await express());
  await closesMeanwhile(job, must(phone, 'a phone'));
  await goTo('/waiting');
  await screen.findByRole('link', { name: 'Find similar' });
  await goTo(`/job/${job.id}`);
  expect(await screen.findByRole('heading', { level: 1, name: 'Roof leak' })).toBeVisible();
  expect(await screen.findByText('This job is closed and no longer accepting interest')).toBeVisible();
  expect(await screen.findByText('Over the lean-to.')).toBeVisible();
  await waitFor(() => expect(screen.getAllByText(/Winton, Southland/)).toHaveLength(2));
  expect(screen.queryByText('Job not found')).toBeNull();
});

test.each([
  ['of its trade elsewhere, where its region has none', { locationId: 'northland/whangarei' }, '?category=spouting'],
  ['of its region, where its trade has none', { categoryId: 'roofer' }, '?region=Southland'],
])('"Find similar" leads to jobs %s, and not to an empty list', async (_where, other, query) => {
  const job = addJob();
  addJob({ title: 'Another one', locationId: job.locationId, categoryId: job.categoryId, ...other });
  const tradie = screens.harness.addTradie();
  const { user, phone } = await screens.show(`/job/${job.id}`, tradie, { offline: true });
  await user.click(await express());
  await closesMeanwhile(job, must(phone, 'a phone'));
  await waitFor(() =>
    expect(screen.getByRole('link', { name: 'Find similar' })).toHaveAttribute('href', `/find-jobs${query}`),
  );
});

test('a note that was sent with it is said once, also where it is still kept as it was typed', async () => {
  const job = addJob();
  const { user, phone } = await screens.show(`/job/${job.id}`, screens.harness.addTradie(), goneOnline);
  const { db } = must(phone, 'a phone');
  await user.click(await express());
  await db.drafts.put({
    key: `interest/${job.id}`,
    value: 'Thursday suits me.',
    savedAt: screens.harness.server.now(),
  });
  await closesMeanwhile(job, must(phone, 'a phone'));
  expect(await screen.findByText('This job is closed and no longer accepting interest')).toBeVisible();
  expect(await screen.findByText('Not accepted: Your interest in “Roof leak”')).toBeVisible();
  expect(screen.queryByText('Your note was not sent')).toBeNull();
});
