import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import type { ConnectionStatus, LinkQuestion, SignedIn, AuthState } from '../context/app-context.ts';
import type { PhotoEntry } from '../db/person-db.ts';
import { createCell, type Cell } from '../lib/cell.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

const href = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
const post = () => ({
  id: makeTestId(),
  title: 'Fix the gate',
  description: 'It sags.',
  locationId: 'southland/winton',
  budgetMax: null,
  urgency: 'soon' as const,
  categoryId: 'builder',
});

test('signed out, the header leads to the tradies and opens the sign-in dialog [§2 header]', async () => {
  const { user } = await screens.show('/legal');
  expect(href('Find Tradies')).toBe('/find-tradies');
  expect(screen.queryByRole('button', { name: 'Your account' })).toBeNull();
  await user.click(screen.getByRole('link', { name: 'Login / Sign Up' }));
  expect(await screen.findByRole('dialog')).toBeVisible();
});

test('signed in, there is a dashboard button and a menu; Become a Tradie only for a homeowner [§2 header]', async () => {
  const { user, address } = await screens.show('/legal', screens.harness.addHomeowner());
  // The frame's part for members is fetched for them alone.
  expect(await screen.findByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/dashboard');
  expect(screen.queryByRole('link', { name: 'Login / Sign Up' })).toBeNull();
  await user.click(await screen.findByRole('button', { name: 'Your account' }));
  expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual([
    'Become a Tradie',
    'Manage Account',
    'Log Out',
  ]);
  expect(screen.getByRole('menuitem', { name: 'Become a Tradie' })).toHaveAttribute('href', '/become-tradie');
  await user.click(screen.getByRole('menuitem', { name: 'Manage Account' }));
  await waitFor(() => expect(address()).toBe('/edit-account'));
});

test('a tradie’s menu has no Become a Tradie [§2 header]', async () => {
  const { user } = await screens.show('/legal', screens.harness.addTradie());
  await user.click(await screen.findByRole('button', { name: 'Your account' }));
  await waitFor(() =>
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['Manage Account', 'Log Out']),
  );
});

test('logging out asks, wipes the storage and goes home [§2 header]', async () => {
  const { user, app, address } = await screens.show('/dashboard', screens.harness.addHomeowner());
  const authState = app.authState.current();
  const logOut = vi.spyOn(
    must(authState.kind === 'signed-in' ? authState.context : undefined, 'the session context'),
    'logOut',
  );
  await user.click(await screen.findByRole('button', { name: 'Your account' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Log Out' }));
  await screen.findByText(/Everything has been sent\./);
  await user.click(screen.getByRole('button', { name: 'Log Out' }));
  await waitFor(() => expect(address()).toBe('/'));
  expect(logOut).toHaveBeenCalledOnce();
});

test('the number on the app’s icon goes with its person', async () => {
  const [setAppBadge, clearAppBadge] = [vi.fn(async () => undefined), vi.fn(async () => undefined)];
  Object.assign(navigator, { setAppBadge, clearAppBadge });
  const { phone, app } = await screens.show('/legal', screens.harness.addHomeowner());
  const args = post();
  await must(phone, 'the phone').db.refused.put({
    uid: makeTestId(),
    seq: 1,
    name: 'job.post',
    args,
    at: '',
    status: 'refused',
    code: 'invalid',
    message: 'no',
    fields: null,
    refusedAt: '',
  });
  await waitFor(() => expect(setAppBadge).toHaveBeenLastCalledWith(1));
  clearAppBadge.mockClear();
  act(() => (app.authState as Cell<AuthState>).set({ kind: 'signed-out' }));
  await waitFor(() => expect(clearAppBadge).toHaveBeenCalledOnce());
});

test('a person who signs in while the log-out of the one before still waits for the server is neither asked to log out nor led away', async () => {
  const { user, app, address } = await screens.show('/dashboard', screens.harness.addHomeowner());
  const authState = app.authState as Cell<AuthState>;
  const before = authState.current() as SignedIn;
  let sayGoodbye: () => void = () => undefined;
  vi.spyOn(before.context, 'logOut').mockImplementation(() => {
    authState.set({ kind: 'signed-out' });
    return new Promise((resolve) => (sayGoodbye = resolve));
  });
  await user.click(await screen.findByRole('button', { name: 'Your account' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Log Out' }));
  await screen.findByText(/Everything has been sent\./);
  await user.click(screen.getByRole('button', { name: 'Log Out' }));
  await screen.findByRole('link', { name: 'Login / Sign Up' });
  act(() => authState.set({ ...before, context: { ...before.context } }));
  await screen.findByRole('heading', { name: /^Your Posted Jobs/ });
  expect(screen.queryByRole('alertdialog')).toBeNull();
  await act(async () => sayGoodbye());
  expect(address()).toBe('/dashboard');
});

test.each<[ConnectionStatus['kind'], RegExp]>([
  ['slow', /^Slow connection\.$/],
  ['offline', /^Offline\. Showing jobs from 10:42 am\.$/],
  ['unanswered', /^Can't reach Dwang, trying again\. Showing jobs from 10:42 am\.$/],
  ['unreachable', /^Can't reach Dwang, trying again\. Showing jobs from 10:42 am\.$/],
])('the bar says in one line how it stands when the connection is %s, as a status [§offline]', async (kind, words) => {
  const connection = createCell<ConnectionStatus>({ kind: 'online', lastSynced: '2026-01-09T21:42:00.000Z' });
  await screens.show('/legal', screens.harness.addHomeowner(), {
    app: { connection, now: () => '2026-01-10T05:00:00.000Z' },
  });
  expect(screen.queryByText(words)).toBeNull();
  act(() => connection.set({ ...connection.current(), kind }));
  expect((await screen.findByText(words)).closest('[role="status"]')).not.toBeNull();
});

test('the bar counts what waits, and leads to it [§offline]', async () => {
  const { phone, user, address } = await screens.show('/legal', screens.harness.addHomeowner(), { offline: true });
  const { sync } = must(phone, 'the phone');
  await sync.mutate('job.post', post());
  await sync.mutate('job.post', post());
  expect(await screen.findByText(/^Offline\. Showing jobs from .+ 2 changes waiting\.$/)).toBeVisible();
  await user.click(screen.getByRole('link', { name: 'See what is waiting' }));
  await waitFor(() => expect(address()).toBe('/waiting'));
});

test.each(['Unable to load application configuration: Failed to fetch', 'Invalid configuration received from server'])(
  'what keeps the app from starting is said, and can be tried again: %s [§8]',
  async (message) => {
    const retryStart = vi.fn();
    const { user } = await screens.show('/dashboard', undefined, {
      app: { authState: createCell<AuthState>({ kind: 'unable', message }), retryStart },
    });
    expect(screen.getByText(message)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(retryStart).toHaveBeenCalledOnce();
  },
);

test('a storage that has stopped answering is said in one line, with a way to load the page anew', async () => {
  const { user, phone } = await screens.show('/legal', screens.harness.addHomeowner());
  const { db, sync } = must(phone, 'the phone');
  const stuck = {};
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  await sync.stop();
  sync.start();
  (db.underWay as Set<object>).add(stuck);
  await act(async () => vi.advanceTimersByTime(15_000));
  vi.useRealTimers();
  const said = await screen.findByText("This phone's storage has stopped answering");
  const banner = within(must(said.closest<HTMLElement>('[role=status]'), 'the banner'));
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
  await user.click(banner.getByRole('button', { name: 'Reload' }));
  expect(reload).toHaveBeenCalledOnce();
});

test('[S9] a mailed link for another person is put to the person signed in, with what waits by name, and Escape keeps them', async () => {
  const answers: boolean[] = [];
  const owner = screens.harness.addHomeowner();
  const question = createCell<LinkQuestion | null>(null);
  const { user, phone } = await screens.show('/dashboard', owner, { app: { linkQuestion: question } });
  must(phone, 'a phone').goOffline();
  await act(() => must(phone, 'a phone').sync.mutate('job.post', post()));
  const ask = () =>
    act(() =>
      question.set({
        here: { userId: owner.id, email: owner.email },
        comingEmail: 'ben@example.nz',
        answer: (comesIn) => void answers.push(comesIn),
      }),
    );
  ask();
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog).toHaveTextContent(`You are signed in as ${owner.email}. The link you opened is for ben@example.nz.`);
  expect(await within(dialog).findByText('New job “Fix the gate”')).toBeVisible();
  await user.keyboard('{Escape}');
  await user.click(within(dialog).getByRole('button', { name: 'Stay signed in' }));
  await user.click(within(dialog).getByRole('button', { name: 'Switch account' }));
  expect(answers).toEqual([false, false, true]);
});

test('[I17] a page that became another person’s says whose it is, names nothing of the one before, and the notice can be dismissed', async () => {
  const isTakenOver = createCell(true);
  const { user } = await screens.show('/legal', screens.harness.addHomeowner({ email: 'ben@example.nz' }), {
    app: { isTakenOver },
  });
  await screen.findByText('This page is now ben@example.nz’s');
  await user.click(screen.getByRole('button', { name: /dismiss|close/i }));
  await waitFor(() => expect(screen.queryByText('This page is now ben@example.nz’s')).toBeNull());
});

test('[I17] what one person has typed into the sign-in dialog is not left for another who signed in in another tab', async () => {
  const { user, app } = await screens.show('/legal', screens.harness.addHomeowner());
  const authState = app.authState as Cell<AuthState>;
  const before = authState.current() as SignedIn;
  act(() => authState.set({ kind: 'signed-out' }));
  await user.click(await screen.findByRole('link', { name: 'Login / Sign Up' }));
  await screen.findByRole('dialog');
  act(() => authState.set({ ...before, lacksProfile: true }));
  await user.type(await screen.findByLabelText('First name'), 'Wiremu');
  act(() => authState.set({ ...before, lacksProfile: true, context: { ...before.context, userId: makeTestId() } }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.body.innerHTML).not.toContain('Wiremu');
});

test('who signs in in another tab is not asked to here any more', async () => {
  const { user, app } = await screens.show('/legal', screens.harness.addHomeowner());
  const authState = app.authState as Cell<AuthState>;
  const before = authState.current() as SignedIn;
  act(() => authState.set({ kind: 'signed-out' }));
  await user.click(await screen.findByRole('link', { name: 'Login / Sign Up' }));
  await user.type(await screen.findByLabelText('Email'), 'wiremu');
  act(() => authState.set(before));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('whom a mailed link signs in is asked for their name, also where the server says only later that they have no profile', async () => {
  const connection = createCell<ConnectionStatus>({ kind: 'online', lastSynced: null });
  const { user, app } = await screens.show('/legal', screens.harness.addHomeowner(), { app: { connection } });
  const authState = app.authState as Cell<AuthState>;
  const before = authState.current() as SignedIn;
  act(() => authState.set({ kind: 'signed-out' }));
  await user.click(await screen.findByRole('link', { name: 'Login / Sign Up' }));
  await screen.findByLabelText('Email');
  act(() => authState.set(before));
  expect(screen.getByRole('dialog')).toBeVisible();
  act(() => authState.set({ ...before, lacksProfile: true }));
  expect(await screen.findByLabelText('First name')).toBeVisible();
});

test('who is found to have a profile already, by a mailed link or in another tab, goes on to what they set out to do', async () => {
  const connection = createCell<ConnectionStatus>({ kind: 'online', lastSynced: null });
  const shown = await screens.show('/', screens.harness.addHomeowner(), { app: { connection } });
  const authState = shown.app.authState as Cell<AuthState>;
  const before = authState.current() as SignedIn;
  act(() => authState.set({ kind: 'signed-out' }));
  await shown.user.click(screen.getByRole('link', { name: 'Post a Job (Free)' }));
  await screen.findByLabelText('Email');
  act(() => authState.set(before));
  act(() => connection.set({ kind: 'online', lastSynced: '2026-01-01T00:00:00.000Z' }));
  await waitFor(() => expect(shown.address()).toBe('/post-job'));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('[C10] log-out counts photos whose place on the job still waits, also where only that is left of them', async () => {
  const owner = screens.harness.addHomeowner();
  const { user, phone } = await screens.show('/dashboard', owner);
  const { db, goOffline } = must(phone, 'a phone');
  goOffline();
  const photo = (id: string, state: PhotoEntry['state']) => ({
    id,
    jobId: makeTestId(),
    path: id,
    bytes: new ArrayBuffer(1),
    type: 'image/jpeg',
    name: 'a.jpg',
    state,
    attempts: 1,
    error: null,
    addedAt: '',
  });
  const attach = (id: string) => ({
    uid: makeTestId(),
    name: 'photo.attach' as const,
    args: { id, jobId: makeTestId(), url: '' },
    at: '',
    state: 'new' as const,
    attempts: 0,
    lastError: null,
    base: [],
  });
  const [waiting, up, discarded] = [makeTestId(), makeTestId(), makeTestId()];
  await db.photos.bulkPut([photo(waiting, 'waiting'), photo(up, 'uploaded')]);
  await db.outbox.bulkAdd([attach(up), attach(discarded)] as never[]);
  await user.click(await screen.findByRole('button', { name: 'Your account' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Log Out' }));
  const dialog = await screen.findByRole('alertdialog');
  expect(await within(dialog).findByText('3 photos')).toBeVisible();
  expect(within(dialog).getByRole('button', { name: 'Log out and lose them' })).toBeEnabled();
  await db.outbox.clear();
});
