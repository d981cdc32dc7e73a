import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { Job, User } from '../../shared/tables/index.ts';
import { makeInterest, makeJob, makeTradie } from '../../shared/testing/make.ts';
import type { SignedIn, AuthState } from '../context/app-context.ts';
import type { Cell } from '../lib/cell.ts';
import { emptyOnboarding } from '../features/onboarding/onboarding-form.ts';
import { onboardingDraftKey } from '../features/onboarding/onboarding-draft.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

const addJobs = (...jobs: Job[]) =>
  screens.harness.server.write((rows) => jobs.forEach((job) => rows.jobs.set(job.id, job)));
const answer = (person: User, job: Job) =>
  screens.harness.server.write((rows) => {
    const interest = makeInterest({
      jobId: job.id,
      tradieId: person.tradieId ?? '',
      userId: person.id,
      ownerId: job.userId,
    });
    rows.interests.set(interest.id, interest);
  });
const link = async (name: string) => (await screen.findByRole('link', { name })).getAttribute('href');
const card = async (title: string) =>
  within(must((await screen.findByRole('link', { name: title })).closest('article'), 'its card'));

test('signed out, it asks to sign in [§2 /dashboard, §6]', async () => {
  const { user } = await screens.show('/dashboard');
  expect(await screen.findByRole('heading', { name: 'Please sign in to see your dashboard' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Sign In' }));
  expect(await screen.findByRole('dialog')).toBeVisible();
});

test('C4, C10: with nothing on the phone and the session gone it does not wait for what cannot come: it asks to sign in', async () => {
  const { app, phone } = await screens.show('/dashboard', screens.harness.addHomeowner());
  await screen.findByRole('heading', { name: 'Your Posted Jobs (0)' });
  const authState = app.authState.current() as SignedIn;
  await act(async () => {
    await phone?.db.users.clear();
    (app.authState as Cell<AuthState>).set({ ...authState, needsSignIn: true });
  });
  expect(await screen.findByRole('heading', { name: 'Not saved on this phone yet' })).toBeVisible();
  expect(screen.queryByText('Fetching your jobs')).toBeNull();
  expect(screen.getAllByRole('button', { name: 'Sign In' }).length).toBeGreaterThan(0);
});

test('a homeowner has two ways on, and the way to a first job [§2 /dashboard]', async () => {
  await screens.show('/dashboard', screens.harness.addHomeowner());
  expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  expect(await link('Post a New Job')).toBe('/post-job');
  expect(await link('Find Tradies')).toBe('/find-tradies');
  expect(screen.getByRole('heading', { name: 'Your Posted Jobs (0)' })).toBeVisible();
  expect(await link('Post Your First Job')).toBe('/post-job');
  for (const name of ['Find Jobs', 'View Profile']) expect(screen.queryByRole('link', { name })).toBeNull();
  expect(screen.queryByRole('heading', { name: /Your Interested Jobs/ })).toBeNull();
});

test('a tradie has three, and both lists of jobs [§2 /dashboard, §6]', async () => {
  const tradie = screens.harness.addTradie();
  await screens.show('/dashboard', tradie);
  expect(await link('Post Job')).toBe('/post-job');
  expect(await link('Find Jobs')).toBe('/find-jobs');
  expect(await link('View Profile')).toBe(`/tradie/${tradie.tradieId}`);
  expect(await screen.findByRole('heading', { name: 'Your Interested Jobs (0)' })).toBeVisible();
  expect(await link('Browse Jobs')).toBe('/find-jobs');
  const [theirs, own] = [makeJob({ title: 'Roof leak' }), makeJob({ title: 'My own fence', userId: tradie.id })];
  addJobs(theirs, own);
  answer(tradie, theirs);
  await screens.harness.sync();
  expect(await screen.findByRole('heading', { name: 'Your Interested Jobs (1)' })).toBeVisible();
  expect(await screen.findByRole('heading', { name: 'Your Posted Jobs (1)' })).toBeVisible();
  expect(await link('Roof leak')).toBe(`/job/${theirs.id}`);
  expect(await link('My own fence')).toBe(`/job/${own.id}`);
});

test('who becomes a tradie while it is open is not made to wait anew, and keeps the focus', async () => {
  const person = screens.harness.addHomeowner();
  await screens.show('/dashboard', person);
  const first = await screen.findByRole('link', { name: 'Post a New Job' });
  act(() => first.focus());
  screens.harness.server.write((rows) => {
    const business = makeTradie({ userId: person.id });
    rows.tradies.set(business.id, business);
    rows.users.set(person.id, { ...person, tradieId: business.id, subscriptionStatus: 'active' });
  });
  await screens.harness.sync();
  expect(await screen.findByRole('link', { name: 'View Profile' })).toBeVisible();
  expect(first).toHaveFocus();
});

test('a job shows its place, budget and urgency, and whether it is active or Closed [§2 /dashboard, §4 job]', async () => {
  const owner = screens.harness.addHomeowner();
  addJobs(
    makeJob({
      userId: owner.id,
      title: 'Deck',
      locationId: 'southland/winton',
      budgetMax: 9_500,
      urgency: 'urgent',
      interestCount: 4,
    }),
    makeJob({ userId: owner.id, title: 'Gate', budgetMax: null, urgency: 'slow', status: 'closed' }),
    makeJob({
      userId: owner.id,
      title: 'Old one',
      locationId: null,
      address: '3 Bridge Street',
      suburb: 'Otatara',
      urgency: 'soon',
    }),
  );
  await screens.show('/dashboard', owner);
  const deck = await card('Deck');
  for (const text of ['Winton, Southland', 'Max Budget: $9,500', 'Urgent - ASAP', 'active', '4 tradies interested'])
    expect(await deck.findByText(text)).toBeVisible();
  const gate = await card('Gate');
  for (const text of ['Closed', 'Slow - No rush']) expect(gate.getByText(text)).toBeVisible();
  expect(gate.queryByText(/Max Budget/)).toBeNull();
  const old = await card('Old one');
  for (const text of ['3 Bridge Street, Otatara', 'Soon - Within 2 weeks']) expect(old.getByText(text)).toBeVisible();
});

test('back from paying: the app is told, the tradie welcomed, and the address clean [§2 /dashboard, §8, §offline]', async () => {
  const offerInstallAfter = vi.fn();
  const onSubscription = vi.fn();
  const { app, address } = await screens.show('/dashboard?subscription=success', screens.harness.addTradie(), {
    app: { offerInstallAfter, onSubscription },
  });
  await waitFor(() => expect(app.toasts.current()).toMatchObject({ title: 'Welcome aboard!' }));
  expect(onSubscription).toHaveBeenCalledOnce();
  // A person who has just begun to pay is offered to install the app.
  expect(offerInstallAfter).toHaveBeenCalledWith('subscription');
  await waitFor(() => expect(address()).toBe('/dashboard'));
});

test('the address alone neither welcomes a person who has not paid nor throws away what they filled in; one whose payment is heard of later is welcomed then', async () => {
  const person = screens.harness.addHomeowner();
  const draft = onboardingDraftKey(person.id);
  localStorage.setItem(draft, JSON.stringify({ userId: person.id, form: emptyOnboarding }));
  const { app, phone } = await screens.show('/dashboard?subscription=success', person);
  await screen.findByText('Post a New Job');
  expect(app.toasts.current()).toBeUndefined();
  expect(localStorage.getItem(draft)).not.toBeNull();
  screens.harness.server.write((rows) => {
    const tradie = makeTradie({ userId: person.id });
    rows.tradies.set(tradie.id, tradie);
    rows.users.set(person.id, { ...person, tradieId: tradie.id, subscriptionStatus: 'trialing' });
  });
  await act(async () => screens.harness.sync(must(phone, 'the phone')));
  await waitFor(() => expect(app.toasts.current()).toMatchObject({ title: 'Welcome aboard!' }));
  expect(localStorage.getItem(draft)).toBeNull();
});

test('what was begun of becoming a tradie is on the dashboard until it is done, also after a payment was cancelled', async () => {
  const person = screens.harness.addHomeowner();
  const form = { ...emptyOnboarding, businessName: 'Kererū Building' };
  localStorage.setItem(onboardingDraftKey(person.id), JSON.stringify({ userId: person.id, form }));
  const { user, app } = await screens.show('/dashboard?subscription=cancelled', person);
  expect(await screen.findByRole('link', { name: 'Finish Joining' })).toHaveAttribute('href', '/become-tradie');
  expect(app.toasts.current()?.description).toBe('You have not been charged. What you filled in is kept.');
  expect(screen.getByText(/for Kererū Building is kept on this phone\. 14 days free, then \$21\.85/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText('Finish joining')).toBeNull();
  localStorage.clear();
});

test('back without having paid, that is said, and nothing of what was filled in where nothing is kept [§2 /dashboard, §8]', async () => {
  const onSubscription = vi.fn();
  const { app, address } = await screens.show('/dashboard?subscription=cancelled', screens.harness.addHomeowner(), {
    app: { onSubscription },
  });
  expect(app.toasts.current()).toMatchObject({
    title: 'Payment Cancelled',
    description: 'You have not been charged.',
    variant: 'destructive',
  });
  expect(onSubscription).not.toHaveBeenCalled();
  await waitFor(() => expect(address()).toBe('/dashboard'));
});

test('after a post the banner stays until it is dismissed, and the address is clean [§2 /dashboard]', async () => {
  const { user, address } = await screens.show('/dashboard?posted=true', screens.harness.addHomeowner());
  expect(
    await screen.findByText('Easy as! Tradies can see your posted job and will express interest, sorted.'),
  ).toBeVisible();
  await waitFor(() => expect(address()).toBe('/dashboard'));
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  await waitFor(() => expect(screen.queryByText(/Easy as!/)).toBeNull());
});

test('without signal the last copy is there, with its time [§offline]', async () => {
  const owner = screens.harness.addHomeowner();
  addJobs(makeJob({ userId: owner.id, title: 'Deck' }));
  await screens.show('/dashboard', owner, { offline: true });
  expect(await link('Deck')).toMatch(/^\/job\//);
  expect(await screen.findByText(/^Offline\. Showing jobs from \d+:\d\d [ap]m\.$/)).toBeVisible();
  expect(await screen.findByText(/^Updated \d+:\d\d [ap]m$/)).toBeVisible();
});

test('a phone that never had signal says that nothing is saved on it yet, and takes a new job [§offline]', async () => {
  const { phone } = await screens.show('/dashboard', screens.harness.addHomeowner(), { offline: true });
  await must(phone, 'the phone').db.users.clear();
  expect(await screen.findByRole('heading', { name: 'Not saved on this phone yet' })).toBeVisible();
  expect(await link('Post a New Job')).toBe('/post-job');
});
