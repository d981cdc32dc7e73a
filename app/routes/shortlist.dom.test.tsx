import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { Job } from '../../shared/tables/index.ts';
import { makeJob, makeTestId } from '../../shared/testing/make.ts';
import { fillStorage } from '../testing/fill-storage.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

const server = () => screens.harness.server.rows;
const marks = () => [...server().marks.values()];
const titles = () => screen.queryAllByRole('article').map((card) => within(card).getByRole('heading').textContent);

function addJobs(...jobs: Job[]) {
  screens.harness.server.write((rows) => jobs.forEach((job) => rows.jobs.set(job.id, job)));
}
function addMark(userId: string, job: Job, remindAt: string | null = null) {
  const shortlistedAt = '2026-11-20T07:00:00.000Z';
  const mark = { id: makeTestId(), userId, jobId: job.id, title: job.title, hiddenAt: null, shortlistedAt, remindAt };
  screens.harness.server.write((rows) => rows.marks.set(mark.id, mark));
  return mark;
}
const now = () => screens.harness.clock.now();
const inMs = (ms: number) => new Date(now() + ms).toISOString();

test('without signal a job is saved for later, with a reminder for tomorrow, and no other person gets any of it', async () => {
  const roof = makeJob({ title: 'Roof leak' });
  addJobs(roof);
  const tradie = screens.harness.addTradie();
  const { user, phone } = await screens.show(`/job/${roof.id}`, tradie, { offline: true });
  await user.click(await screen.findByRole('button', { name: 'Save for later' }));
  expect(await screen.findByRole('button', { name: 'Saved for later' })).toHaveAttribute('aria-pressed', 'true');
  await user.click(await screen.findByRole('button', { name: 'Tomorrow, 7 am' }));
  expect(await screen.findByRole('button', { name: /^Reminder .*7:00 am$/ })).toBeEnabled();
  expect(await screen.findByText('Saved on this phone', { selector: 'main *' })).toBeVisible();
  expect(marks()).toEqual([]);
  screens.harness.goOnline(must(phone, 'the phone'));
  await waitFor(() => expect(marks()).toMatchObject([{ userId: tradie.id, jobId: roof.id }]), { timeout: 10_000 });
  const [mark] = marks();
  expect(new Date(mark?.remindAt ?? '').getTime()).toBeGreaterThan(now());
  const other = await screens.harness.as(screens.harness.addTradie());
  await screens.harness.sync(other);
  expect(await other.db.marks.toArray()).toEqual([]);
});

test('a job that a full phone could not keep is said until it is kept, and not after', async () => {
  const roof = makeJob({ title: 'Roof leak' });
  addJobs(roof);
  const { user, app } = await screens.show(`/job/${roof.id}`, screens.harness.addTradie(), { offline: true });
  const save = await screen.findByRole('button', { name: 'Save for later' });
  const makeRoom = fillStorage();
  await user.click(save);
  const noRoom = 'This device has no room left, so this could not be saved.';
  expect(await screen.findByText(noRoom)).toBeVisible();
  expect(app.toasts.current()?.durationMs).toBe(Infinity);
  makeRoom();
  await user.click(await screen.findByRole('button', { name: 'Save for later' }));
  expect(await screen.findByRole('button', { name: 'Saved for later' })).toHaveAttribute('aria-pressed', 'true');
  await waitFor(() => expect(screen.queryByText(noRoom)).toBeNull());
});

test('a time that is over is not taken, and what was chosen stays', async () => {
  const roof = makeJob({ title: 'Roof leak' });
  addJobs(roof);
  const tradie = screens.harness.addTradie();
  addMark(tradie.id, roof);
  const { user } = await screens.show(`/job/${roof.id}`, tradie);
  await user.click(await screen.findByRole('button', { name: 'Choose a time' }));
  const field: HTMLInputElement = await screen.findByLabelText('Remind me at (New Zealand time)');
  await user.clear(field);
  await user.type(field, '2020-01-01T07:00');
  await user.click(screen.getByRole('button', { name: 'Set reminder' }));
  expect(await screen.findByText('Choose a time that is still to come.')).toBeVisible();
  expect(field).toHaveValue('2020-01-01T07:00');
  expect(marks()).toMatchObject([{ remindAt: null }]);
});

test('on a card a job is saved in a tap, Undo takes it off, and the list of those saved shows all of them', async () => {
  const [roof, deck] = [makeJob({ title: 'Roof leak', budgetMax: 90_000 }), makeJob({ title: 'Deck' })];
  const gone = makeJob({ title: 'Fence', status: 'closed' });
  addJobs(roof, deck);
  const tradie = screens.harness.addTradie();
  addMark(tradie.id, roof);
  addMark(tradie.id, gone);
  const { user } = await screens.show('/find-jobs', tradie);
  await waitFor(() => expect(titles()).toEqual(['Deck']));
  await user.click(await screen.findByRole('button', { name: 'Save for later: Deck' }));
  expect(await screen.findByRole('button', { name: 'Saved for later (3)' })).toBeEnabled();
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await user.click(await screen.findByRole('button', { name: 'Saved for later (2)' }));
  // Whatever the list was narrowed to: the first budget is 10,000.
  await waitFor(() => expect(titles()).toEqual(['Roof leak']));
  const closed = await screen.findByRole('region', { name: 'No longer open' });
  expect(within(closed).getByText(/Fence/)).toBeVisible();
  await user.click(within(closed).getByRole('button', { name: 'Take off my list: Fence' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'No longer open' })).toBeNull());
});

test('at its time the open app reminds of the job, and a job that has closed says so', async () => {
  const [roof, gone] = [makeJob({ title: 'Roof leak' }), makeJob({ title: 'Fence' })];
  addJobs(roof);
  const tradie = screens.harness.addTradie();
  addMark(tradie.id, roof, inMs(300));
  addMark(tradie.id, gone, inMs(-60_000));
  const { user, goTo } = await screens.show('/edit-account', tradie, { app: { now: () => new Date().toISOString() } });
  const fence = (await screen.findByText('Reminder: Fence')).closest('[role=status]');
  expect(within(fence as HTMLElement).getByText('This job has closed since you saved it.')).toBeVisible();
  await user.click(within(fence as HTMLElement).getByRole('button', { name: 'Take off my list' }));
  const roofs = (await screen.findByText('Reminder: Roof leak')).closest('[role=status]') as HTMLElement;
  // On the dashboard it is among the news, once.
  await goTo('/dashboard');
  const news = await screen.findByRole('region', { name: 'News' });
  expect(await within(news).findByText('Reminder: Roof leak')).toBeVisible();
  expect(screen.getAllByText('Reminder: Roof leak')).toHaveLength(1);
  expect(roofs).not.toBeInTheDocument();
  await user.click(within(news).getByRole('link', { name: 'Open job' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Roof leak' })).toBeVisible();
  await waitFor(() => expect(marks().map(({ remindAt }) => remindAt)).toEqual([null, null]));
});

test('while the app is hidden the device tells it, where that was allowed, and permission is not asked for', async () => {
  const roof = makeJob({ title: 'Roof leak' });
  addJobs(roof);
  const tradie = screens.harness.addTradie();
  const mark = addMark(tradie.id, roof, inMs(-60_000));
  const shown: { title: string; options: NotificationOptions; close: () => void }[] = [];
  const registration = {
    showNotification: async (title: string, options: NotificationOptions) => {
      shown.push({ title, options, close: () => void shown.splice(0) });
    },
    getNotifications: async ({ tag }: { tag: string }) => shown.filter(({ options }) => options.tag === tag),
  };
  const requestPermission = vi.fn();
  vi.stubGlobal('Notification', { permission: 'granted', requestPermission });
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { getRegistration: async () => registration },
  });
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  const { user } = await screens.show('/edit-account', tradie);
  await waitFor(() => expect(shown).toHaveLength(1));
  expect(shown[0]).toMatchObject({
    title: 'Saved for later',
    options: { body: 'Roof leak', tag: `dwang-reminder-${mark.id}`, data: { navigate: `/job/${roof.id}` } },
  });
  await user.click(await screen.findByRole('button', { name: 'Dismiss' }));
  await waitFor(() => expect(shown).toEqual([]));
  expect(requestPermission).not.toHaveBeenCalled();
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

test('the reminder is given to a calendar as a file, with the title and the link and no more', async () => {
  const roof = makeJob({ title: 'Roof leak' });
  addJobs(roof);
  const tradie = screens.harness.addTradie();
  addMark(tradie.id, roof, inMs(3_600_000));
  const blobs: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    blobs.push(blob as Blob);
    return 'blob:calendar';
  });
  // This document would open the file as a page, and be another one for every test after.
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  const { user } = await screens.show(`/job/${roof.id}`, tradie);
  await user.click(await screen.findByRole('button', { name: 'Add to calendar' }));
  const text = await must(blobs[0], 'the file').text();
  expect(text).toContain('SUMMARY:Dwang: Roof leak\r\n');
  expect(text.replaceAll('\r\n ', '')).toContain(`/job/${roof.id}`);
  expect(text).not.toContain(roof.userId);
});

test('who keeps no jobs is offered nothing of it', async () => {
  const roof = makeJob({ title: 'Roof leak' });
  addJobs(roof);
  await screens.show(`/job/${roof.id}`, screens.harness.addHomeowner(), {
    answers: { 'jobs.read': async () => ({ ...roof, location: null }) as never },
  });
  expect(await screen.findByRole('heading', { level: 1, name: 'Roof leak' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Save for later' })).toBeNull();
});
