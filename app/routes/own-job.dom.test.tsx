import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hour } from '../../shared/lib/durations.ts';
import { must } from '../../shared/lib/must.ts';
import type { Job } from '../../shared/tables/index.ts';
import { makeInterest, makeJob } from '../../shared/testing/make.ts';
import { holdTimers } from '../testing/hold-timers.ts';
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

test('the owner sees who is interested, and how to reach them [§1, §2 /job/{id}]', async () => {
  const owner = screens.harness.addHomeowner();
  const job = addJob({ userId: owner.id, interestCount: 1 });
  const tradie = screens.harness.addTradie(
    {},
    { businessName: 'Winton Roofing', email: 'roof@example.nz', contactPhone: '+64211234567' },
  );
  screens.harness.server.write((rows) => {
    const interest = makeInterest({
      jobId: job.id,
      tradieId: tradie.tradieId ?? '',
      userId: tradie.id,
      ownerId: owner.id,
      note: 'Thursday?',
    });
    rows.interests.set(interest.id, interest);
  });
  const { user } = await screens.show(`/job/${job.id}`, owner);
  expect(await screen.findByRole('heading', { name: 'Interested Tradies (1)' })).toBeVisible();
  const entry = await screen.findByRole('article', { name: 'Winton Roofing' });
  expect(within(entry).getByText('WR')).toBeVisible();
  expect(within(entry).getByText('Thursday?')).toBeVisible();
  expect(within(entry).getByRole('link', { name: /Call/ })).toHaveAttribute('href', 'tel:+64211234567');
  expect(within(entry).getByRole('link', { name: /Message/ })).toHaveAttribute('href', 'sms:+64211234567');
  expect(within(entry).getByRole('link', { name: /Email/ })).toHaveAttribute('href', 'mailto:roof@example.nz');
  expect(within(entry).getByRole('link', { name: 'View Profile' })).toHaveAttribute(
    'href',
    `/tradie/${tradie.tradieId}`,
  );
  expect(screen.queryByRole('button', { name: 'Express Interest' })).toBeNull();
  await user.click(within(entry).getByRole('checkbox', { name: /Contacted/ }));
  await waitFor(() =>
    expect([...screens.harness.server.rows.interests.values()]).toMatchObject([{ contactedAt: expect.any(String) }]),
  );
});

test('who answered stands above the job, and the first thing to press is the telephone', async () => {
  const owner = screens.harness.addHomeowner();
  const job = addJob({ userId: owner.id, interestCount: 2, description: 'It drips.' });
  const answer = (businessName: string, contactPhone: string | null, createdAt: string) => {
    const tradie = screens.harness.addTradie({}, { businessName, contactPhone, email: 'shop@example.nz' });
    const interest = makeInterest({
      jobId: job.id,
      tradieId: tradie.tradieId ?? '',
      userId: tradie.id,
      ownerId: owner.id,
      createdAt,
    });
    screens.harness.server.write((rows) => rows.interests.set(interest.id, interest));
  };
  answer('Winton Roofing', '+64211234567', '2025-10-13T01:00:00.000Z');
  answer('No Phone Ltd', null, '2025-10-13T02:00:00.000Z');
  const { user } = await screens.show(`/job/${job.id}`, owner);
  const newest = await screen.findByRole('article', { name: 'No Phone Ltd' });
  const oldest = screen.getByRole('article', { name: 'Winton Roofing' });
  const isBefore = (one: Element, other: Element) =>
    (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  expect(isBefore(newest, oldest)).toBe(true);
  expect(isBefore(oldest, screen.getByText('It drips.'))).toBe(true);
  expect(isBefore(screen.getByText('It drips.'), screen.getByRole('button', { name: 'Close Job' }))).toBe(true);
  const ways = within(oldest).getAllByRole('link');
  expect(ways.map((way) => way.textContent)).toEqual(['Call 021 123 4567', 'Message', 'Email', 'View Profile']);
  const standsOut = () => oldest.querySelector('[data-first]')?.textContent;
  expect(standsOut()).toBe('Call 021 123 4567');
  expect(within(newest).getByText('shop@example.nz · no phone given')).toBeVisible();
  expect(newest.querySelector('[data-first]')?.textContent).toBe('Email');
  await user.click(within(oldest).getByRole('checkbox', { name: /Contacted/ }));
  await waitFor(() => expect(standsOut()).toBeUndefined());
});

test('the owner closes the job and is led to the dashboard [§2 /job/{id}, §4 job]', async () => {
  const owner = screens.harness.addHomeowner();
  const job = addJob({ userId: owner.id });
  const { user } = await screens.show(`/job/${job.id}`, owner);
  expect(await screen.findByText('No tradies have expressed interest yet')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Close Job' }));
  expect(await screen.findByText('Job closed')).toBeVisible();
  expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard' }, { timeout: 10_000 })).toBeVisible();
  expect(await screen.findByText('Closed')).toBeVisible();
  expect(screens.harness.server.rows.jobs.get(job.id)?.status).toBe('closed');
});

test('for some seconds closing can be undone: the job stays open, and nothing was sent', async () => {
  const owner = screens.harness.addHomeowner();
  const job = addJob({ userId: owner.id });
  const { user, phone } = await screens.show(`/job/${job.id}`, owner, { holdMs: hour });
  await user.click(await screen.findByRole('button', { name: 'Close Job' }));
  expect(await screen.findByText('Closing in 10 seconds.')).toBeVisible();
  expect(await screen.findByText('Closing')).toBeVisible();
  expect(screen.queryByText('active')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Your job stays open to tradies.')).toBeVisible();
  expect(await screen.findByText('active')).toBeVisible();
  await waitFor(() => expect(screen.queryByText(/^Closing in/)).toBeNull());
  expect(await must(phone, 'the phone').db.outbox.count()).toBe(0);
  expect(screens.harness.server.rows.jobs.get(job.id)?.status).toBe('active');
});

test('after Undo by keyboard the focus is on Close Job, and not at the beginning of the page', async () => {
  const owner = screens.harness.addHomeowner();
  const { user } = await screens.show(`/job/${addJob({ userId: owner.id }).id}`, owner, { holdMs: hour });
  const close = await screen.findByRole('button', { name: 'Close Job' });
  act(() => close.focus());
  await user.keyboard('{Enter}');
  await screen.findByText(/^Closing in/);
  await user.tab();
  expect(screen.getByRole('button', { name: 'Undo' })).toHaveFocus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
  expect(screen.getByRole('button', { name: 'Close Job' })).toHaveFocus();
});

test('once a job is closed by keyboard the focus is on the heading, and not on a button that is off', async () => {
  const owner = screens.harness.addHomeowner();
  const { user } = await screens.show(`/job/${addJob({ userId: owner.id }).id}`, owner);
  holdTimers(1_500);
  const close = await screen.findByRole<HTMLButtonElement>('button', { name: 'Close Job' });
  act(() => close.focus());
  await user.keyboard('{Enter}');
  await waitFor(() => expect(close).toBeDisabled());
  expect(screen.getByRole('heading', { level: 1, name: 'Roof leak' })).toHaveFocus();
});

test('on another page the way back is on the toast, and the dashboard calls the job closing', async () => {
  const owner = screens.harness.addHomeowner();
  const job = addJob({ userId: owner.id });
  const { user, goTo } = await screens.show(`/job/${job.id}`, owner, { holdMs: hour });
  await user.click(await screen.findByRole('button', { name: 'Close Job' }));
  await screen.findByText(/^Closing in/);
  await goTo('/dashboard');
  expect(await screen.findByText('Closing “Roof leak”')).toBeVisible();
  expect(await screen.findByText('Closing')).toBeVisible();
  expect(screen.queryByText('active')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('active')).toBeVisible();
  expect(screens.harness.server.rows.jobs.get(job.id)?.status).toBe('active');
});

test('a double tap on Undo says that the job stays open, and never that it is too late', async () => {
  const owner = screens.harness.addHomeowner();
  const { user, app } = await screens.show(`/job/${addJob({ userId: owner.id }).id}`, owner, { holdMs: hour });
  const titles: (string | undefined)[] = [];
  app.toasts.subscribe(() => titles.push(app.toasts.current()?.title));
  await user.click(await screen.findByRole('button', { name: 'Close Job' }));
  await screen.findByText(/^Closing in/);
  const undo = screen.getByRole('button', { name: 'Undo' });
  act(() => [undo, undo].forEach((tapped) => tapped.click()));
  await waitFor(() => expect(titles).toEqual(['Not closed', 'Not closed']));
});

test('the way back on another page stays as long as the job is closing, also where the clock is set forward', async () => {
  const owner = screens.harness.addHomeowner();
  const { user, goTo } = await screens.show(`/job/${addJob({ userId: owner.id }).id}`, owner, { holdMs: hour });
  await user.click(await screen.findByRole('button', { name: 'Close Job' }));
  await screen.findByText(/^Closing in/);
  const later = Date.now() + 2 * hour;
  vi.spyOn(Date, 'now').mockReturnValue(later);
  await goTo('/dashboard');
  expect(await screen.findByText('Closing')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('active')).toBeVisible();
});

test('log-out while a job is being closed names that it will be lost', async () => {
  const owner = screens.harness.addHomeowner();
  const { user } = await screens.show(`/job/${addJob({ userId: owner.id }).id}`, owner, { holdMs: hour });
  await user.click(await screen.findByRole('button', { name: 'Close Job' }));
  await screen.findByText(/^Closing in/);
  await user.click(await screen.findByRole('button', { name: 'Your account' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Log Out' }));
  const dialog = await screen.findByRole('alertdialog', { name: 'Log out?' });
  expect(await within(dialog).findByText('Closing “Roof leak”')).toBeVisible();
  expect(within(dialog).getByRole('button', { name: 'Log out and lose them' })).toBeEnabled();
});

test('a closed job: its owner can neither edit nor close it [§2 /job/{id}, §4 job]', async () => {
  const owner = screens.harness.addHomeowner();
  await screens.show(`/job/${addJob({ userId: owner.id, status: 'closed' }).id}`, owner);
  for (const name of ['Edit Job', 'Close Job']) expect(await screen.findByRole('button', { name })).toBeDisabled();
  expect(screen.getByText('Closed')).toBeVisible();
});

test('a closed job without interest does not promise to tell of the next', async () => {
  const owner = screens.harness.addHomeowner();
  const { goTo } = await screens.show(`/job/${addJob({ userId: owner.id }).id}`, owner);
  const promise = 'We’ll let you know here as soon as one does.';
  expect(await screen.findByText(promise)).toBeVisible();
  await goTo(`/job/${addJob({ userId: owner.id, title: 'Fence', status: 'closed' }).id}`);
  await screen.findByRole('heading', { level: 1, name: 'Fence' });
  expect(await screen.findByText('No tradies have expressed interest yet')).toBeVisible();
  expect(screen.queryByText(promise)).toBeNull();
});

test('a closed job can be posted again like this, with its words and without its photos', async () => {
  const owner = screens.harness.addHomeowner();
  const job = addJob({
    userId: owner.id,
    status: 'closed',
    description: 'It drips.',
    locationId: 'southland/winton',
    categoryId: 'builder',
    urgency: 'urgent',
    budgetMax: 800,
    images: ['job-photos/j/1.jpg'],
  });
  const { user } = await screens.show(`/job/${job.id}`, owner);
  await user.click(await screen.findByRole('link', { name: 'Post again like this' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Post a Job' })).toBeVisible();
  expect(await screen.findByRole('textbox', { name: 'Title' })).toHaveValue('Roof leak');
  expect(screen.getByRole('combobox', { name: 'Town' })).toHaveValue('Winton');
  expect(screen.queryByRole('button', { name: /^Remove photo/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Post Job' }));
  expect(await screen.findByText('Job Posted!')).toBeVisible();
  expect(
    [...screens.harness.server.rows.jobs.values()].map(({ title, status, budgetMax, images }) => [
      title,
      status,
      budgetMax,
      images.length,
    ]),
  ).toEqual([
    ['Roof leak', 'closed', 800, 1],
    ['Roof leak', 'active', 800, 0],
  ]);
});

test('without signal a job is closed on this phone, and called closed only once the server has it [§8, §offline]', async () => {
  const owner = screens.harness.addHomeowner();
  const job = addJob({ userId: owner.id });
  const { user, phone } = await screens.show(`/job/${job.id}`, owner, { offline: true });
  await user.click(await screen.findByRole('button', { name: 'Close Job' }));
  expect(
    await screen.findByText(
      "Saved on this phone. We'll send it when you're back in coverage.",
      {},
      { timeout: 10_000 },
    ),
  ).toBeVisible();
  expect(screen.queryByText('Job closed')).toBeNull();
  expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard' }, { timeout: 10_000 })).toBeVisible();
  expect(screens.harness.server.rows.jobs.get(job.id)?.status).toBe('active');
  screens.harness.goOnline(...(phone === undefined ? [] : [phone]));
  expect(await screen.findByText('Job closed', {}, { timeout: 10_000 })).toBeVisible();
  expect(await screen.findByText('This job has been marked as closed.')).toBeVisible();
});

test('what cannot be queued, and does not say why, is told in the words for it [§8]', async () => {
  const owner = screens.harness.addHomeowner();
  const { user, phone, app, address } = await screens.show(`/job/${addJob({ userId: owner.id }).id}`, owner);
  vi.spyOn(must(phone, 'the phone').sync, 'mutate').mockRejectedValue(new Error(''));
  await user.click(await screen.findByRole('button', { name: 'Close Job' }));
  await waitFor(() =>
    expect(app.toasts.current()).toMatchObject({
      title: 'Error',
      description: 'Failed to close job',
      variant: 'destructive',
    }),
  );
  expect(address()).toMatch(/^\/job\//);
});

test('the dashboard follows 1.5 s after closing, and not after a navigation elsewhere [§9]', async () => {
  const owner = screens.harness.addHomeowner();
  const { user, address, goTo } = await screens.show(`/job/${addJob({ userId: owner.id }).id}`, owner);
  const timers = holdTimers(1_500);
  await user.click(await screen.findByRole('button', { name: 'Close Job' }));
  await waitFor(() => expect(timers.count()).toBe(1));
  expect(address()).toMatch(/^\/job\//);
  act(timers.fire);
  await waitFor(() => expect(address()).toBe('/dashboard'));

  await goTo(`/job/${addJob({ userId: owner.id, title: 'Another' }).id}`);
  await user.click(await screen.findByRole('button', { name: 'Close Job' }));
  await waitFor(() => expect(timers.count()).toBe(1));
  await goTo('/legal');
  expect(timers.count()).toBe(0);
});
