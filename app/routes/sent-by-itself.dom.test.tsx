import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeJob, makeTestId } from '../../shared/testing/make.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

/*
 * What waited and went out while its person did something else: the item says so (server and network are fakes;
 * e2e/story.spec.ts has both).
 */

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

const sentAt = /^Sent \d+:\d\d [ap]m$/;

test('an edit that went out by itself: “Sent” on the dashboard’s item, on the job’s page and on the waiting page', async () => {
  const owner = screens.harness.addHomeowner();
  const old = new Date(Date.now() - 40 * 24 * 3_600_000).toISOString();
  const job = makeJob({ userId: owner.id, title: 'Roof leak', createdAt: old });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  const { phone: open, goTo } = await screens.show('/dashboard', owner, { offline: true });
  const phone = must(open, 'the phone');
  const item = async () => within(must((await screen.findByText('Roof leak')).closest('article'), 'its card'));
  expect((await item()).queryByText(sentAt)).toBeNull();
  await phone.sync.mutate('job.edit', { id: job.id, set: { urgency: 'urgent' }, base: { urgency: job.urgency } });
  expect(await (await item()).findByText('Saved on this phone')).toBeVisible();
  expect((await item()).queryByText(sentAt)).toBeNull();

  screens.harness.goOnline(phone);
  expect(await (await item()).findByText(sentAt, {}, { timeout: 10_000 })).toBeVisible();
  await goTo(`/job/${job.id}`);
  expect(await screen.findByText(sentAt)).toBeVisible();
  await goTo('/waiting');
  const sent = within(await screen.findByRole('region', { name: 'Sent in the last day' }));
  expect(sent.getByRole('heading', { name: 'Changes to “Roof leak”' })).toBeVisible();
  expect(sent.getByText(sentAt)).toBeVisible();
});

test('a profile that was saved without signal says on itself when it was sent', async () => {
  const tradie = screens.harness.addTradie();
  const id = must(tradie.tradieId, 'the business');
  const { phone: open } = await screens.show(`/tradie/${id}`, tradie, { offline: true });
  const phone = must(open, 'the phone');
  const business = must(await phone.db.tradies.get(id), 'the profile');
  await phone.sync.mutate('profile.edit', {
    id,
    set: { description: 'Decks and pergolas.' },
    base: { description: business.description },
  });
  expect(await screen.findByText('Saved on this phone')).toBeVisible();
  screens.harness.goOnline(phone);
  expect(await screen.findByText(sentAt, {}, { timeout: 10_000 })).toBeVisible();
  await waitFor(() => expect(screen.queryByText('Saved on this phone')).toBeNull());
});

test('a job that was closed long ago: its row says the day it was posted, and not the day it was closed', async () => {
  const owner = screens.harness.addHomeowner();
  const [posted, closed] = ['2025-03-01T00:00:00.000Z', '2025-06-20T00:00:00.000Z'];
  const job = makeJob({ userId: owner.id, title: 'Roof leak', status: 'closed', createdAt: posted, closedAt: closed });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  await screens.show('/dashboard', owner);
  expect(await screen.findByText('Sent 1 Mar 2025')).toBeVisible();
});

test('an interest that a restored database has forgotten: it is being restored, on the job’s page too, and not “sent” as well', async () => {
  const owner = screens.harness.addHomeowner();
  const restore = screens.harness.server.backUp();
  const job = makeJob({ userId: owner.id, title: 'Roof leak' });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  const tradie = screens.harness.addTradie();
  const { phone: open, goTo } = await screens.show('/waiting', tradie);
  const phone = must(open, 'the phone');
  await waitFor(async () => expect(await phone.db.users.count()).toBe(1));
  await phone.sync.mutate('interest.express', { id: makeTestId(), jobId: job.id, note: '' });
  expect(await screen.findByRole('region', { name: 'Sent in the last day' }, { timeout: 10_000 })).toBeVisible();

  restore();
  screens.harness.server.write((rows) => rows.users.set(tradie.id, tradie));
  phone.sync.sendNow();
  expect(await screen.findByText('Being restored', {}, { timeout: 10_000 })).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Sent in the last day' })).toBeNull();
  expect(screen.getByText('Dwang was put back to an earlier copy. We are sending these again.')).toBeVisible();
  expect(screen.queryByText(/go out by themselves/)).toBeNull();
  await goTo('/dashboard');
  expect(await screen.findByText('Saved on this phone: 1 change. You need to do nothing.')).toBeVisible();
  expect(screen.queryByText(/go out by themselves/)).toBeNull();
  await goTo(`/job/${job.id}`);
  expect(await screen.findByText(/we are sending your interest again/)).toBeVisible();
});
