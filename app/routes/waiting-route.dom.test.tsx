import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { ArgsOf } from '../../shared/mutations/index.ts';
import { makeJob, makeTestId } from '../../shared/testing/make.ts';
import { relieveStorage } from '../sync/relieve-storage.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

const post = (changes: Partial<ArgsOf<'job.post'>> = {}): ArgsOf<'job.post'> => ({
  id: makeTestId(),
  title: 'Fix the gate',
  description: 'It sags.',
  locationId: 'southland/winton',
  budgetMax: null,
  urgency: 'soon',
  categoryId: 'builder',
  ...changes,
});

test('what waits can be sent now [§offline]', async () => {
  const { user, phone } = await screens.show('/waiting', screens.harness.addHomeowner(), { offline: true });
  expect(await screen.findByText('Everything has been sent')).toBeVisible();
  await phone?.sync.mutate('job.post', post());
  expect(await screen.findByRole('heading', { level: 1, name: 'Waiting to send (1)' })).toBeVisible();
  const item = screen.getByRole('article');
  expect(within(item).getByText('New job “Fix the gate”')).toBeVisible();
  screens.harness.goOnline(...(phone === undefined ? [] : [phone]));
  await user.click(screen.getByRole('button', { name: 'Send now' }));
  expect(await screen.findByText('Everything has been sent', {}, { timeout: 10_000 })).toBeVisible();
  expect(screens.harness.server.rows.jobs.size).toBe(1);
});

test('what could not be sent says why, and no more once it is tried again [§offline]', async () => {
  const { user, phone } = await screens.show('/waiting', screens.harness.addHomeowner());
  const { hold, inFlight, settle, sync } = must(phone, 'the phone');
  hold();
  await sync.mutate('job.post', post());
  await waitFor(() => expect(inFlight()).toHaveLength(1));
  inFlight()[0]?.respond(503, { 'Retry-After': '60' });
  await settle();
  const item = within(await screen.findByRole('article'));
  expect(await item.findByText("Couldn't send: see why")).toBeVisible();
  expect(await item.findByText('Dwang’s server is busy just now. We keep trying.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Send now' }));
  expect(await item.findByText('Sending')).toBeVisible();
  expect(item.queryByText(/busy just now/)).toBeNull();
});

test('what was never sent can be opened again in its form, with its text [§offline]', async () => {
  const { user, phone } = await screens.show('/waiting', screens.harness.addHomeowner(), { offline: true });
  await phone?.sync.mutate('job.post', post());
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Post a Job' })).toBeVisible();
  const title = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Title' });
  expect(title).toHaveValue('Fix the gate');
  await user.clear(title);
  await user.type(title, 'Mend the gate');
  await user.click(screen.getByRole('button', { name: 'Post Job' }));
  await waitFor(async () =>
    expect((await phone?.db.outbox.toArray())?.map(({ args }) => (args as { title: string }).title)).toEqual([
      'Mend the gate',
    ]),
  );
});

test('what was never sent can be cancelled, which asks first and leaves no trace [§offline]', async () => {
  const { user, phone } = await screens.show('/waiting', screens.harness.addHomeowner(), { offline: true });
  await phone?.sync.mutate('job.post', post());
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  expect(await phone?.db.outbox.count()).toBe(1);
  await user.click(await screen.findByRole('button', { name: 'Keep it' }));
  expect(await phone?.db.outbox.count()).toBe(1);
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  await user.click(await screen.findByRole('button', { name: 'Cancel it' }));
  expect(await screen.findByText('Nothing is waiting')).toBeVisible();
  expect(screen.queryByText('Everything has been sent')).toBeNull();
  expect(await phone?.db.jobs.count()).toBe(0);
});

test('not accepted: the reason and the text stay until the person has dealt with it [§offline]', async () => {
  const tradie = screens.harness.addTradie();
  const job = makeJob({ title: 'Roof leak' });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  const { user, phone } = await screens.show('/waiting', tradie, { offline: true });
  await phone?.sync.mutate('interest.express', { id: makeTestId(), jobId: job.id, note: 'Thursday suits me.' });
  screens.harness.server.write((rows) =>
    rows.jobs.set(job.id, { ...job, status: 'closed', closedAt: screens.harness.server.now() }),
  );
  screens.harness.goOnline(...(phone === undefined ? [] : [phone]));
  expect(await screen.findByRole('heading', { name: 'Not accepted (1)' }, { timeout: 10_000 })).toBeVisible();
  const item = screen.getByRole('article');
  expect(within(item).getByText('This job closed before your interest was sent.')).toBeVisible();
  expect(within(item).getByText('Thursday suits me.')).toBeVisible();
  expect(await screen.findByRole('link', { name: 'Needs you: 1' })).toHaveAttribute('href', '/waiting');
  await user.click(within(item).getByRole('button', { name: 'Discard' }));
  await user.click(await screen.findByRole('button', { name: 'Keep it' }));
  expect(await phone?.db.refused.count()).toBe(1);
  await user.click(within(item).getByRole('button', { name: 'Discard' }));
  await user.click(await screen.findByRole('button', { name: 'Discard it' }));
  expect(await screen.findByText('Nothing is waiting')).toBeVisible();
  expect(screen.queryByText('Everything has been sent')).toBeNull();
  expect(await phone?.db.refused.count()).toBe(0);
});

test('an interest refused because the job closed keeps its title and town, and offers what can still be done', async () => {
  const tradie = screens.harness.addTradie();
  const job = makeJob({ title: 'Roof leak', locationId: 'southland/winton', categoryId: 'builder' });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  const { user, phone, goTo, address } = await screens.show(`/job/${job.id}`, tradie, { offline: true });
  await user.click(await screen.findByRole('button', { name: 'Express Interest' }));
  await waitFor(async () => expect(await phone?.db.outbox.count()).toBe(1));
  screens.harness.server.write((rows) =>
    rows.jobs.set(job.id, { ...job, status: 'closed', closedAt: screens.harness.server.now() }),
  );
  screens.harness.goOnline(must(phone, 'the phone'));
  await waitFor(async () => expect(await phone?.db.refused.count()).toBe(1), { timeout: 10_000 });
  await goTo('/waiting');
  const reasons = () => screen.getAllByText('This job closed before your interest was sent.');
  const shown = () => reasons().flatMap((reason) => reason.closest('article') ?? []);
  const item = within(await waitFor(() => must(shown()[0], 'the item')));
  expect(item.getByRole('heading', { name: 'Your interest in “Roof leak”' })).toBeVisible();
  expect(await item.findByText(/^Winton, Southland · /)).toBeVisible();
  for (const name of ['Open job', 'Retry'])
    await waitFor(() => expect(item.queryByRole('button', { name })).toBeNull());
  await user.click(item.getByRole('link', { name: 'Find similar' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Find Jobs' })).toBeVisible();
  expect(address()).toContain('category=builder');
  expect(address()).toContain('region=Southland');
});

test('what was not accepted can be tried again, and its text copied [§offline]', async () => {
  const tradie = screens.harness.addTradie();
  const job = makeJob({ title: 'Roof leak', status: 'closed' });
  const open = { ...job, status: 'active' as const };
  screens.harness.server.write((rows) => rows.jobs.set(job.id, open));
  const { user, phone } = await screens.show('/waiting', tradie, { offline: true });
  await phone?.sync.mutate('interest.express', { id: makeTestId(), jobId: job.id, note: 'Thursday suits me.' });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  screens.harness.goOnline(...(phone === undefined ? [] : [phone]));
  const item = within(
    must((await screen.findByText('This job closed before your interest was sent.')).closest('article'), 'the item'),
  );
  await user.click(item.getByRole('button', { name: 'Copy text' }));
  expect(await screen.findByText('Copied')).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe('Thursday suits me.');
  screens.harness.server.write((rows) => rows.jobs.set(job.id, open));
  await screens.harness.sync();
  expect(await item.findByText('Your interest in “Roof leak”')).toBeVisible();
  await user.click(item.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Interest expressed', {}, { timeout: 10_000 })).toBeVisible();
  expect(await screen.findByText('Everything has been sent')).toBeVisible();
  expect(screens.harness.server.rows.interests.size).toBe(1);
});

test('a photo that storage rejected says why, on its job too, and can be tried again or discarded', async () => {
  const owner = screens.harness.addHomeowner();
  const job = makeJob({ userId: owner.id, title: 'Roof leak' });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  const { user, phone, app, goTo } = await screens.show('/waiting', owner);
  const { db } = must(phone, 'the phone');
  const authState = app.authState.current();
  const context = must(authState.kind === 'signed-in' ? authState.context : undefined, 'the session context');
  const photo = context.photos.entry(job.id, {
    id: makeTestId(),
    bytes: new Uint8Array([1]).buffer,
    type: 'image/jpeg',
    name: 'roof.jpg',
  });
  await db.photos.put({ ...photo, state: 'failed', error: 'The object exceeded the maximum allowed size' });
  const item = within(must((await screen.findByText('Photo for “Roof leak”')).closest('article'), 'the item'));
  expect(item.getByText("Couldn't send: see why")).toBeVisible();
  expect(item.getByText('The object exceeded the maximum allowed size')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Needs you: 1' })).toHaveAttribute('href', '/waiting');
  expect(screen.getByText('Nothing is waiting. What was not accepted needs you.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Send now' })).toBeNull();
  const retry = vi.spyOn(context.photos, 'retry');
  await user.click(item.getByRole('button', { name: 'Retry' }));
  expect(retry).toHaveBeenCalledWith(photo.id);
  // The button leaves with the failure: the focus stays in the item, and a second failure is told from the first.
  expect(item.getByRole('heading', { name: 'Photo for “Roof leak”' })).toHaveFocus();
  expect(item.getByText('Tried again once.')).toBeVisible();
  await goTo('/dashboard');
  expect(await screen.findByText('1 photo not added')).toBeVisible();
  expect(await screen.findByText('1 thing needs you')).toBeVisible();
  expect(screen.queryByText(/You need to do nothing/)).toBeNull();
  expect(screen.getByText('active')).toBeVisible();
  expect(screen.queryByText("Couldn't send: see why")).toBeNull();
  await goTo(`/job/${job.id}`);
  expect(await screen.findByText('The job itself is fine.')).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Enlarge photo 1 of 1, not added' })).toBeEnabled();
  await goTo('/waiting');
  await user.click(await screen.findByRole('button', { name: 'Discard' }));
  expect(await screen.findByText(/^This photo: this is only on this phone/)).toBeVisible();
  await db.photos.toCollection().modify({ state: 'uploading' });
  expect(await screen.findByText(/^This photo may have left this phone already\./)).toBeVisible();
  await user.click(await screen.findByRole('button', { name: 'Discard it' }));
  expect(await screen.findByText('Nothing is waiting')).toBeVisible();
  expect(await db.photos.count()).toBe(0);
});

test('a photo whose bytes are uploaded is listed until it is on its job, also where a full phone has deleted its bytes', async () => {
  const owner = screens.harness.addHomeowner();
  const job = makeJob({ userId: owner.id, title: 'Roof leak' });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  const { phone, app, goTo } = await screens.show('/waiting', owner, { offline: true });
  const { db, sync } = must(phone, 'the phone');
  const authState = app.authState.current();
  const context = must(authState.kind === 'signed-in' ? authState.context : undefined, 'the session context');
  const photo = context.photos.entry(job.id, {
    id: makeTestId(),
    bytes: new Uint8Array([1]).buffer,
    type: 'image/jpeg',
    name: 'roof.jpg',
  });
  await sync.mutate(
    'photo.attach',
    { id: photo.id, jobId: job.id, url: `job-photos/${photo.path}` },
    { photos: [{ ...photo, state: 'uploaded' }] },
  );
  expect(await screen.findByRole('heading', { level: 1, name: 'Waiting to send (1)' })).toBeVisible();
  const item = within(must((await screen.findByText('Photo for “Roof leak”')).closest('article'), 'the item'));
  expect(item.getByText('Saved on this phone')).toBeVisible();
  expect(item.queryByRole('button')).toBeNull();
  expect(screen.getByRole('link', { name: 'Waiting to send: 1' })).toHaveAttribute('href', '/waiting');
  await goTo('/dashboard');
  expect(await screen.findByText('0 of 1 photos added')).toBeVisible();
  expect(await relieveStorage(db, { persist: async () => true, estimate: async () => ({ usage: 9, quota: 10 }) })).toBe(
    'relieved',
  );
  await goTo('/waiting');
  expect(await screen.findByText('Photo for “Roof leak”')).toBeVisible();
  screens.harness.goOnline(must(phone, 'the phone'));
  sync.sendNow();
  expect(await screen.findByText('Everything has been sent', {}, { timeout: 10_000 })).toBeVisible();
});

test('nothing that was sent can be cancelled any more, and photos are counted on the job [§offline]', async () => {
  const owner = screens.harness.addHomeowner();
  const { user, phone, app, goTo } = await screens.show('/waiting', owner, { offline: true });
  const { db, sync } = must(phone, 'the phone');
  const { uid } = await sync.mutate('job.post', post());
  await db.outbox.where({ uid }).modify({ state: 'sent' });
  expect(await screen.findByText('New job “Fix the gate”')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull());
  await db.outbox.where({ uid }).modify({ state: 'new' });
  screens.harness.goOnline(must(phone, 'the phone'));
  await user.click(screen.getByRole('button', { name: 'Send now' }));
  expect(await screen.findByText('Everything has been sent', {}, { timeout: 10_000 })).toBeVisible();
  const authState = app.authState.current();
  const context = must(authState.kind === 'signed-in' ? authState.context : undefined, 'the session context');
  const [job] = await db.jobs.toArray();
  await db.photos.put(
    context.photos.entry(must(job, 'the job').id, {
      id: makeTestId(),
      bytes: new Uint8Array([1]).buffer,
      type: 'image/jpeg',
      name: 'gate.jpg',
    }),
  );
  await goTo('/dashboard');
  expect(await screen.findByText('0 of 1 photos added')).toBeVisible();
});

test('changed elsewhere meanwhile: both values are shown, and one’s own can be kept [§offline]', async () => {
  const owner = screens.harness.addHomeowner();
  const job = makeJob({ userId: owner.id, title: 'Roof leak' });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  const { user, phone } = await screens.show('/waiting', owner, { offline: true });
  await phone?.sync.mutate('job.edit', {
    id: job.id,
    set: { title: 'Roof leaks badly' },
    base: { title: 'Roof leak' },
  });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, { ...job, title: 'Roof and gutter' }));
  screens.harness.goOnline(...(phone === undefined ? [] : [phone]));
  expect(await screen.findByText('Yours', {}, { timeout: 10_000 })).toBeVisible();
  expect(screen.getByText('Roof leaks badly')).toBeVisible();
  expect(screen.getByText('Roof and gutter')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Keep mine' }));
  await waitFor(() => expect(screens.harness.server.rows.jobs.get(job.id)?.title).toBe('Roof leaks badly'), {
    timeout: 10_000,
  });
});

test('of two versions of a job that was closed after all, mine cannot be kept any more, and the other can', async () => {
  const owner = screens.harness.addHomeowner();
  const job = makeJob({ userId: owner.id, title: 'Roof leak' });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  const { user, phone: open } = await screens.show('/waiting', owner, { offline: true });
  const phone = must(open, 'the phone');
  await phone.sync.mutate('job.edit', { id: job.id, set: { title: 'Mine' }, base: { title: 'Roof leak' } });
  const theirs = { ...job, title: 'Roof and gutter' };
  screens.harness.server.write((rows) => rows.jobs.set(job.id, theirs));
  screens.harness.goOnline(phone);
  const keepMine = await screen.findByRole('button', { name: 'Keep mine' }, { timeout: 10_000 });
  await waitFor(() => expect(keepMine).toBeEnabled());
  screens.harness.server.write((rows) =>
    rows.jobs.set(job.id, { ...theirs, status: 'closed', closedAt: screens.harness.server.now() }),
  );
  await screens.harness.sync(phone);
  await waitFor(() => expect(keepMine).toBeDisabled());
  expect(screen.queryByRole('button', { name: 'Discard' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Keep the other' }));
  expect(await screen.findByText('Nothing is waiting')).toBeVisible();
  expect(await screen.findByText('Your change is not on this phone any more.')).toBeVisible();
  expect(await phone.db.refused.count()).toBe(0);
});
