import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeReference } from '../../shared/testing/make.ts';
import type { SignedIn } from '../context/app-context.ts';
import { outcomeWaitMs } from '../hooks/show-outcome.ts';
import { UnreadablePicture } from '../photos/shrink.ts';
import { fillField } from '../testing/fill-field.ts';
import { makePicture } from '../testing/make-picture.ts';
import { fakeAlerts } from '../testing/fake-alerts.ts';
import { fillStorage } from '../testing/fill-storage.ts';
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

async function fillIn(user: UserEvent, changes: { title?: string } = {}) {
  await fillField(user, await screen.findByRole('textbox', { name: 'Title' }), changes.title ?? 'Fix the gate');
  await fillField(user, screen.getByRole('textbox', { name: 'Description' }), 'It sags.');
  await fillField(user, screen.getByRole('combobox', { name: 'Town' }), 'wint');
  await user.click(await screen.findByRole('option', { name: /Winton/ }));
  await user.click(screen.getByRole('radio', { name: /Soon/ }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Category' }), 'Builder');
}

const noRoom = 'This device has no room left, so this could not be saved.';
const post = () => screen.getByRole('button', { name: 'Post Job' });

test('says what is missing until nothing is, and keeps the button off [§2 /post-job, §5]', async () => {
  const { user } = await screens.show('/post-job', screens.harness.addHomeowner());
  expect(
    await screen.findByText(
      'To post: add a title, add a description, choose a town, say how urgent it is and choose a category',
    ),
  ).toBeVisible();
  expect(post()).toBeDisabled();
  await fillIn(user);
  await waitFor(() => expect(post()).toBeEnabled());
});

test('a job that the server accepts within the wait is posted, and the dashboard says so [§2 /post-job, §8]', async () => {
  const app = { alerts: fakeAlerts('off') };
  const { user, address } = await screens.show('/post-job', screens.harness.addHomeowner(), { app });
  await fillIn(user);
  await user.click(post());
  expect(await screen.findByText('Job Posted!')).toBeVisible();
  expect(
    await screen.findByText('Your job has been posted successfully. Tradies can now express interest.'),
  ).toBeVisible();
  expect(await screen.findByRole('heading', { name: 'Dashboard' }, { timeout: 10_000 })).toBeVisible();
  expect(
    await screen.findByText('Easy as! Tradies can see your posted job and will express interest, sorted.'),
  ).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Turn on alerts' })).toBeEnabled();
  await waitFor(() => expect(address()).toBe('/dashboard'));
  expect([...screens.harness.server.rows.jobs.values()].map((job) => job.title)).toEqual(['Fix the gate']);
});

test('the dashboard follows 1.5 s after the toast, and not sooner [§9]', async () => {
  const { user, address } = await screens.show('/post-job', screens.harness.addHomeowner());
  await fillIn(user);
  const timers = holdTimers(1_500);
  await user.click(post());
  expect(await screen.findByText('Job Posted!')).toBeVisible();
  await waitFor(() => expect(timers.count()).toBe(1));
  expect(address()).toBe('/post-job');
  act(timers.fire);
  await waitFor(() => expect(address()).toBe('/dashboard'));
});

test('without signal it is saved on this phone, nothing is claimed, and the toast follows when the server has accepted [§offline]', async () => {
  const { user, phone } = await screens.show('/post-job', screens.harness.addHomeowner(), { offline: true });
  await fillIn(user);
  await user.click(post());
  expect(
    await screen.findByText(
      "Saved on this phone. We'll send it when you're back in coverage.",
      {},
      { timeout: 10_000 },
    ),
  ).toBeVisible();
  expect(await screen.findByRole('heading', { name: 'Dashboard' }, { timeout: 10_000 })).toBeVisible();
  expect(screen.queryByText(/Easy as!/)).toBeNull();
  expect(screen.queryByText('Job Posted!')).toBeNull();
  const card = await screen.findByRole('article');
  expect(within(card).getByText('Fix the gate')).toBeVisible();
  expect(await within(card).findByText('Saved on this phone')).toBeVisible();
  expect(screen.getByText(/^Offline\..*1 change waiting\.$/)).toBeVisible();

  screens.harness.goOnline(...(phone === undefined ? [] : [phone]));
  expect(await screen.findByText('Job Posted!', {}, { timeout: 10_000 })).toBeVisible();
  await waitFor(() => expect(screen.queryByText('Saved on this phone')).toBeNull());
});

const picture = (name: string, type = 'image/jpeg') => makePicture(name, type);
/** The town is taken off the server's list while it stands in the form. */
const strikeWinton = () =>
  screens.harness.server.collections.setReference([
    makeReference({ id: 'builder', name: 'Builder' }),
    makeReference({ id: 'northland/whangarei', kind: 'location', name: 'Whangārei', region: 'Northland' }),
  ]);
const unlisted = 'Choose a location from the list.';

test('a job the server rejects at once is in the form again: the error at its field, every word and photo kept [§offline]', async () => {
  const { user, phone, app } = await screens.show('/post-job', screens.harness.addHomeowner());
  const { db } = must(phone, 'the phone');
  await fillIn(user);
  await user.upload(screen.getByLabelText('Choose photos'), picture('gate.jpg'));
  await screen.findByText('1 photo added');
  strikeWinton();
  await user.click(post());
  await waitFor(() =>
    expect(app.toasts.current()).toMatchObject({
      title: 'Not accepted',
      description: `New job “Fix the gate”: ${unlisted}`,
      variant: 'destructive',
    }),
  );
  expect(await screen.findByRole('link', { name: unlisted })).toBeVisible();
  const town = screen.getByRole('combobox', { name: 'Town' });
  expect(town).toHaveAttribute('aria-invalid', 'true');
  expect(
    must(town.getAttribute('aria-describedby'), 'the words')
      .split(' ')
      .some((id) => document.getElementById(id)?.textContent.includes(unlisted)),
  ).toBe(true);
  expect(screen.getByRole('textbox', { name: 'Title' })).toHaveValue('Fix the gate');
  expect(screen.getByRole('button', { name: 'Remove photo 1: gate.jpg' })).toBeEnabled();
  expect(await db.jobs.count()).toBe(0);
  await user.click(screen.getByRole('button', { name: 'Clear location' }));
  await user.type(screen.getByRole('combobox', { name: 'Town' }), 'whang');
  await user.click(await screen.findByRole('option', { name: /Whangārei/ }));
  await user.click(post());
  expect(await screen.findByText('Job Posted!')).toBeVisible();
  expect(await db.refused.count()).toBe(0);
  expect((await db.photos.toArray()).map(({ name }) => name)).toEqual(['gate.jpg']);
});

test('rejected later, it is not accepted, and Edit opens it as a draft: the error at its field, photos kept [§offline]', async () => {
  const { user, phone, goTo } = await screens.show('/post-job', screens.harness.addHomeowner(), { offline: true });
  const { db } = must(phone, 'the phone');
  await fillIn(user);
  await user.upload(screen.getByLabelText('Choose photos'), picture('gate.jpg'));
  await screen.findByText('1 photo added');
  await user.click(post());
  expect(await screen.findByRole('heading', { name: 'Dashboard' }, { timeout: 10_000 })).toBeVisible();
  strikeWinton();
  screens.harness.goOnline(must(phone, 'the phone'));
  expect(await screen.findByRole('link', { name: 'Needs you: 1' })).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Fix the gate' })).toBeNull());
  await goTo('/waiting');
  expect(await screen.findByRole('heading', { name: 'Not accepted (1)' })).toBeVisible();
  expect(within(must(screen.getAllByRole('article')[0], 'the entry')).getByText(unlisted)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  expect(await screen.findByRole('textbox', { name: 'Title' })).toHaveValue('Fix the gate');
  expect(screen.getByRole('combobox', { name: 'Town' })).toHaveAttribute('aria-invalid', 'true');
  expect(screen.getAllByText(unlisted).length).toBeGreaterThan(0);
  expect(await screen.findByRole('button', { name: 'Remove photo 1: gate.jpg' })).toBeEnabled();
  screens.harness.server.collections.setReference([]);
  await user.click(post());
  expect(await screen.findByText('Job Posted!', {}, { timeout: 10_000 })).toBeVisible();
  expect(await db.refused.count()).toBe(0);
  expect([...screens.harness.server.rows.jobs.values()].map(({ title }) => title)).toEqual(['Fix the gate']);
});

test('what is typed while the storage does not answer is in the form again after the page was loaded anew', async () => {
  const owner = screens.harness.addHomeowner();
  const { user, phone } = await screens.show('/post-job', owner);
  const { db, name } = must(phone, 'the phone');
  await user.type(await screen.findByRole('textbox', { name: 'Title' }), 'Fix the gate');
  await waitFor(async () => expect(await db.drafts.get('post-job')).toBeDefined());
  vi.spyOn(db.drafts, 'put').mockReturnValue(new Promise(() => undefined) as never);
  await user.type(screen.getByRole('textbox', { name: 'Title' }), ' and the fence');
  fireEvent(window, new Event('pagehide'));
  cleanup();
  vi.restoreAllMocks();

  const again = await screens.show('/post-job', owner, { disk: name });
  expect(await screen.findByRole('textbox', { name: 'Title' })).toHaveValue('Fix the gate and the fence');
  await waitFor(async () =>
    expect(await again.phone?.db.drafts.get('post-job')).toMatchObject({
      value: { fields: { title: 'Fix the gate and the fence' } },
    }),
  );
  await waitFor(() => expect(Object.keys(sessionStorage).filter((key) => key.startsWith('dwang-typed'))).toEqual([]));
});

test('photos: five at most, JPEG, PNG or WebP, from the camera or the phone, and there again with the draft [§2 /post-job, §5, §offline]', async () => {
  const { user, goTo } = await screens.show('/post-job', screens.harness.addHomeowner());
  const choose = await screen.findByLabelText<HTMLInputElement>('Choose photos');
  expect(choose.accept).toBe('image/jpeg,image/png,image/webp');
  expect(screen.getByLabelText('Take photo')).toHaveAttribute('capture', 'environment');
  await user.type(screen.getByRole('textbox', { name: 'Title' }), 'Half a job');
  await user.upload(
    choose,
    ['1', '2', '3', '4', '5', '6'].map((name) => picture(`${name}.jpg`)),
  );
  expect(
    await screen.findByText(/5 photos added\. That is all there is room for\. 1 more did not fit\./),
  ).toBeVisible();
  await goTo('/legal');
  await goTo('/post-job');
  expect(await screen.findByRole('textbox', { name: 'Title' })).toHaveValue('Half a job');
  expect(await screen.findAllByRole('button', { name: /^Remove photo/ })).toHaveLength(5);
});

test('sent off by other ways than the button while something is missing, it says so [§5, §8]', async () => {
  const { app } = await screens.show('/post-job', screens.harness.addHomeowner());
  fireEvent.submit(must((await screen.findByRole('textbox', { name: 'Title' })).closest('form'), 'the form'));
  expect(app.toasts.current()).toMatchObject({
    title: 'Error',
    description: 'Please fill in all required fields',
    variant: 'destructive',
  });
});

test.each([
  ['', 'Failed to post job'],
  ['This phone has no room left.', 'This phone has no room left.'],
])(
  'a post that cannot be queued, with %j to say for itself, is told as %j, and every word is still there [§8]',
  async (said, shown) => {
    const { user, phone, app } = await screens.show('/post-job', screens.harness.addHomeowner());
    vi.spyOn(must(phone, 'the phone').sync, 'mutate').mockRejectedValue(new Error(said));
    await fillIn(user);
    await user.click(post());
    await waitFor(() =>
      expect(app.toasts.current()).toMatchObject({ title: 'Error', description: shown, variant: 'destructive' }),
    );
    expect(screen.getByRole('textbox', { name: 'Title' })).toHaveValue('Fix the gate');
  },
);

test('C4: the phone’s storage is full: said while typing, at the photo and when posting, every word still there, and posted once there is space', async () => {
  const { user, phone, app } = await screens.show('/post-job', screens.harness.addHomeowner());
  const { db } = must(phone, 'the phone');
  await screen.findByRole('textbox', { name: 'Title' });
  const said: unknown[] = [];
  app.toasts.subscribe(() => said.push(app.toasts.current()));
  const makeRoom = fillStorage();
  await user.upload(screen.getByLabelText('Choose photos'), picture('gate.jpg'));
  expect(await screen.findByText(noRoom)).toBeVisible();
  await fillIn(user);
  await waitFor(() =>
    expect(said).toContainEqual(expect.objectContaining({ title: 'Draft not kept', description: noRoom })),
  );
  expect(post()).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Remove photo 1: gate.jpg' }));
  await user.click(post());
  await waitFor(() =>
    expect(app.toasts.current()).toMatchObject({ title: 'Error', description: noRoom, variant: 'destructive' }),
  );
  expect(await db.outbox.count()).toBe(0);
  expect(screen.getByRole('textbox', { name: 'Title' })).toHaveValue('Fix the gate');
  makeRoom();
  await waitFor(() => expect(post()).toBeEnabled());
  await user.click(post());
  expect(await screen.findByText('Job Posted!')).toBeVisible();
  expect([...screens.harness.server.rows.jobs.values()].map(({ title }) => title)).toEqual(['Fix the gate']);
});

test('the back button leads to the dashboard [§2 /post-job]', async () => {
  const { user, address } = await screens.show('/post-job', screens.harness.addHomeowner());
  await user.click(await screen.findByRole('button', { name: 'Back to Dashboard' }));
  await waitFor(() => expect(address()).toBe('/dashboard'));
});

test('what is typed is there again after the app was closed', async () => {
  const person = screens.harness.addHomeowner();
  const { user, phone } = await screens.show('/post-job', person);
  await user.type(await screen.findByRole('textbox', { name: 'Title' }), 'Half a job');
  await waitFor(async () =>
    expect(await phone?.db.drafts.get('post-job')).toMatchObject({ value: { fields: { title: 'Half a job' } } }),
  );
});

test('logged out while it is being sent: nothing is claimed, and nothing goes on', async () => {
  const { user, phone, app, address } = await screens.show('/post-job', screens.harness.addHomeowner());
  const { db, sync, hold, inFlight } = must(phone, 'the phone');
  await fillIn(user);
  hold();
  await user.click(post());
  await waitFor(() => expect(inFlight()).toHaveLength(1));
  await sync.stop();
  await db.delete();
  // Begun after the form's own wait, and as long: when this one is over, so is that. An unhandled rejection would fail
  // the run.
  await act(() => sync.waitFor('another', outcomeWaitMs));
  expect(app.toasts.current()).toBeUndefined();
  expect(address()).toBe('/post-job');
});

test('signed out, the way home is offered [§2 /post-job]', async () => {
  await screens.show('/post-job');
  expect(await screen.findByText('Please sign in to post a job')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Go to Home' })).toHaveAttribute('href', '/');
});

test('a job does not go without a photo that was refused: the words beside Post Job say so until it is removed', async () => {
  const { user, phone, app } = await screens.show('/post-job', screens.harness.addHomeowner());
  const { context } = app.authState.current() as SignedIn;
  await fillIn(user);
  vi.spyOn(context.photos, 'shrink').mockRejectedValueOnce(new UnreadablePicture());
  await user.upload(screen.getByLabelText('Choose photos'), picture('gate.jpg'));
  expect(await screen.findByText('To post: remove the photo that could not be added')).toBeVisible();
  expect(post()).toBeDisabled();
  expect(await must(phone, 'the phone').db.jobs.count()).toBe(0);
  await user.click(screen.getByRole('button', { name: 'Remove photo 1: gate.jpg' }));
  expect(post()).toBeEnabled();
});
