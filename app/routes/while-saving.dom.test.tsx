import { Dexie } from 'dexie';
import { act, screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeJob } from '../../shared/testing/make.ts';
import { openPersonDb } from '../db/person-db.ts';
import { findWaitingLogo } from '../photos/keep-logo.ts';
import { ProofNeeded } from '../session/proof-needed.ts';
import { makePicture } from '../testing/make-picture.ts';
import { createDeferred } from '../testing/deferred.ts';
import { holdTimers } from '../testing/hold-timers.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

/*
 * What is changed while a form is being saved would not be sent, and is lost with the page. The document of these tests
 * does not implement `inert`, so input that reaches the field all the same is tested as well; e2e/photos.spec.ts has a
 * browser.
 */

let screens: Screens;
beforeEach(async () => {
  localStorage.clear();
  screens = await openScreens();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await screens.close();
});

const box = (name: string | RegExp) => screen.findByRole<HTMLInputElement>('textbox', { name });
const picture = (name = 'first.png') => makePicture(name);
const isLocked = (field: Element) => field.closest('[inert]') !== null;

/** Nothing is written to the outbox until what this returns is called. */
function holdOutbox(name: string): () => Promise<void> {
  const written = createDeferred<void>();
  const other = openPersonDb('', { name });
  const busy = other.transaction('rw', 'outbox', () => Dexie.waitFor(written.promise));
  return async () => {
    written.resolve();
    await busy;
    other.close();
  };
}

async function expectTypingRejected(user: UserEvent, name: string | RegExp): Promise<void> {
  const field = await box(name);
  const before = field.value;
  expect(isLocked(field)).toBe(true);
  await user.type(field, ' and more');
  expect(field).toHaveValue(before);
}

test('a second logo, or a text, cannot be put into the profile while the first logo is uploaded', async () => {
  const person = screens.harness.addTradie({}, { businessName: 'Southern Spouting', logo: '' });
  const up = createDeferred<{ kind: 'up'; ref: string }>();
  const putLogo = vi.fn(() => up.promise);
  const { user, phone } = await screens.show('/edit-tradie', person, { app: { putLogo } });
  await user.upload(await screen.findByLabelText<HTMLInputElement>('Upload logo'), picture());
  await screen.findByRole('button', { name: 'Remove logo' });
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  await screen.findByRole('button', { name: /Saving\.\.\./ });
  await waitFor(() => expect(putLogo).toHaveBeenCalledTimes(1));

  const picker = screen.getByLabelText<HTMLInputElement>(/^(Upload|Change) logo$/);
  expect(picker).toBeDisabled();
  expect(isLocked(picker)).toBe(true);
  await expectTypingRejected(user, 'Business name');

  up.resolve({ kind: 'up', ref: 'tradie-logos/0c7e5a52-6a37-4f0e-9d5e-5f6f0f7d7c11/1-first.png' });
  await screen.findByText('Profile Updated');
  const row = must(screens.harness.server.rows.tradies.get(person.tradieId ?? ''), 'the profile');
  expect(row).toMatchObject({
    businessName: 'Southern Spouting',
    logo: 'tradie-logos/0c7e5a52-6a37-4f0e-9d5e-5f6f0f7d7c11/1-first.png',
  });
  expect(await findWaitingLogo(must(phone, 'the phone').db)).toBeUndefined();
});

test('after a save that failed the fields are unlocked again, and the focus is where it was', async () => {
  const up = createDeferred<{ kind: 'refused'; message: string }>();
  const { user } = await screens.show(
    '/edit-tradie',
    screens.harness.addTradie({}, { businessName: 'Southern Spouting', logo: '' }),
    {
      app: { putLogo: () => up.promise },
    },
  );
  await user.upload(await screen.findByLabelText<HTMLInputElement>('Upload logo'), picture());
  await screen.findByRole('button', { name: 'Remove logo' });
  const name = await box('Business name');
  await user.type(name, ' Ltd{Enter}');
  await screen.findByRole('button', { name: /Saving\.\.\./ });
  // What a browser does to the focus in a field that becomes locked.
  name.blur();
  up.resolve({ kind: 'refused', message: 'The object exceeded the maximum allowed size' });
  await waitFor(() => expect(isLocked(name)).toBe(false));
  await waitFor(() => expect(name).toHaveFocus());
  await user.type(name, ' & Co');
  expect(name).toHaveValue('Southern Spouting Ltd & Co');
});

test('a job cannot be changed while it is posted, nor between that and the dashboard', async () => {
  const { user, phone } = await screens.show('/post-job', screens.harness.addHomeowner());
  await user.type(await box('Title'), 'Fix the gate');
  await user.type(await box('Description'), 'It sags.');
  await user.type(screen.getByRole('combobox', { name: 'Town' }), 'wint');
  await user.click(await screen.findByRole('option', { name: /Winton/ }));
  await user.click(screen.getByRole('radio', { name: /Soon/ }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Category' }), 'Builder');
  must(phone, 'the phone').hold();
  await user.click(screen.getByRole('button', { name: 'Post Job' }));
  await screen.findByRole('button', { name: /Posting\.\.\./ });
  await expectTypingRejected(user, 'Title');
  expect(screen.getByLabelText('Choose photos')).toBeDisabled();
  const here = must(phone, 'the phone');
  await Promise.all(here.inFlight().map((request) => request.deliver()));
  here.goOnline();
  await screen.findByText('Job Posted!');
  await expectTypingRejected(user, 'Title');
  await screen.findByRole('heading', { name: 'Dashboard' }, { timeout: 10_000 });
  expect([...screens.harness.server.rows.jobs.values()].map(({ title }) => title)).toEqual(['Fix the gate']);
  expect(await must(phone, 'the phone').db.drafts.toArray()).toEqual([]);
});

test('a job cannot be changed further while its edit is saved', async () => {
  const owner = screens.harness.addHomeowner();
  const job = makeJob({ userId: owner.id, title: 'Roof leak', locationId: 'southland/winton', categoryId: 'builder' });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  const { user, phone } = await screens.show(`/edit-job/${job.id}`, owner);
  await user.type(await box('Title'), ' again');
  must(phone, 'the phone').hold();
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  await screen.findByRole('button', { name: /Saving\.\.\./ });
  await expectTypingRejected(user, 'Title');
  expect(screen.getByLabelText('Choose photos')).toBeDisabled();
});

test('onboarding is locked while it goes to the payment page', async () => {
  const { user } = await screens.show('/become-tradie', screens.harness.addHomeowner(), {
    app: { caller: { call: () => new Promise<never>(() => undefined) } },
  });
  await user.type(await box('NZBN'), '29040402543');
  await user.type(await box('Business name'), 'Kererū Building');
  await user.type(await box('Business address'), '4 Cameron Street');
  await user.click(await screen.findByRole('checkbox', { name: 'Builder' }));
  await user.type(await box('Contact phone'), '021 123 4567');
  await user.type(await box('Company description'), 'Decks and fences.');
  await user.type(screen.getByRole('combobox', { name: 'Nearest location' }), 'whang');
  await user.click(await screen.findByRole('option', { name: /Whangārei/ }));
  await user.click(screen.getByRole('checkbox', { name: /I agree/ }));
  await user.click(screen.getByRole('button', { name: 'Continue to Payment' }));
  await screen.findByRole('button', { name: /Processing\.\.\./ });
  await expectTypingRejected(user, 'Business name');
  expect(screen.getByLabelText('Upload logo')).toBeDisabled();
});

test('a new password is locked while it is sent, and the field for the proof that is asked for then is unlocked and has the focus', async () => {
  const answer = createDeferred<void>();
  const updatePassword = () => answer.promise.then(() => Promise.reject(new ProofNeeded()));
  const { user } = await screens.show('/edit-account', screens.harness.addHomeowner(), { auth: { updatePassword } });
  const password = await screen.findByLabelText<HTMLInputElement>('New password');
  await user.type(password, 'long enough');
  await user.type(await screen.findByLabelText('Confirm password'), 'long enough');
  await user.click(screen.getByRole('button', { name: 'Update Password' }));
  await screen.findByRole('button', { name: /Updating\.\.\./ });
  expect(isLocked(password)).toBe(true);
  answer.resolve();
  const proof = await screen.findByLabelText('Current password');
  expect(isLocked(proof)).toBe(false);
  expect(proof).toHaveFocus();
  expect(password).toHaveValue('long enough');
});

test('a note to the homeowner is locked while it is sent', async () => {
  const job = makeJob({ userId: screens.harness.addHomeowner().id, title: 'Roof leak' });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  const { user, phone } = await screens.show(
    `/job/${job.id}`,
    screens.harness.addTradie({ subscriptionStatus: 'active' }),
  );
  const field = await box(/Note to the homeowner/);
  await user.type(field, 'I am near');
  // The form goes as soon as the interest is on the phone: the phone's disk is busy for as long as the form is looked
  // at.
  const release = holdOutbox(must(phone, 'the phone').db.name);
  await user.click(screen.getByRole('button', { name: 'Express Interest' }));
  await screen.findByRole('button', { name: /Sending/ });
  expect(isLocked(field)).toBe(true);
  await user.type(field, ' and more');
  expect(field).toHaveValue('I am near');
  await release();
});

test('[C1] a choice is shown at once, as "Saving" until the phone has it, and only then as saved', async () => {
  const { user, phone } = await screens.show('/edit-account', screens.harness.addHomeowner());
  const { db, goOffline } = must(phone, 'the phone');
  const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'A tradie is interested in my job' });
  goOffline();
  const release = holdOutbox(db.name);
  await user.click(box);
  expect(await screen.findByText('Saving')).toBeVisible();
  expect(box).not.toBeChecked();
  expect(screen.queryByText('Saved on this phone')).toBeNull();
  expect(screen.queryByText(/waiting to send/i)).toBeNull();
  await release();
  expect(await screen.findByText('Saved on this phone')).toBeVisible();
  expect(screen.queryByText('Saving')).toBeNull();
});

test('a job posted by keyboard leaves the focus on the heading until the dashboard follows', async () => {
  const owner = screens.harness.addHomeowner();
  const { user } = await screens.show(`/post-job?like=${addClosed(owner.id)}`, owner);
  const timers = holdTimers(1_500);
  const post = await screen.findByRole<HTMLButtonElement>('button', { name: 'Post Job' });
  await waitFor(() => expect(post).toBeEnabled());
  act(() => post.focus());
  await user.keyboard('{Enter}');
  await waitFor(() => expect(timers.count()).toBe(1));
  expect(screen.getByRole('heading', { level: 1, name: 'Post a Job' })).toHaveFocus();
});

function addClosed(userId: string): string {
  const job = makeJob({
    userId,
    title: 'Roof leak',
    description: 'It drips.',
    locationId: 'southland/winton',
    categoryId: 'builder',
    status: 'closed',
  });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  return job.id;
}

test('“Saved for later” is said of a job once that is on the disk', async () => {
  const job = makeJob({ title: 'Roof leak' });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  const { user, phone } = await screens.show(`/job/${job.id}`, screens.harness.addTradie(), { offline: true });
  const { db } = must(phone, 'the phone');
  const save = await screen.findByRole('button', { name: 'Save for later' });
  const goOn = holdOutbox(db.name);
  await user.click(save);
  await waitFor(() => expect([...db.rows.shown.marks.values()]).toMatchObject([{ jobId: job.id }]));
  expect(screen.getByRole('button', { name: 'Save for later' })).toBeVisible();
  await act(goOn);
  expect(await screen.findByRole('button', { name: 'Saved for later' })).toBeVisible();
  expect(await db.marks.toArray()).toMatchObject([{ jobId: job.id }]);
});
