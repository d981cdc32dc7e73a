import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeJob, makeTestId, makeTradie } from '../../shared/testing/make.ts';
import { CallRejected } from '../api/call.ts';
import type { AuthState, SignedIn } from '../context/app-context.ts';
import type { Cell } from '../lib/cell.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

/*
 * What people read once the server's database was restored (server and network are fakes; e2e/restore-postgres.spec.ts
 * has both).
 */

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

test('that an interest was seen is named before a log-out where a restored database has forgotten it, and otherwise not', async () => {
  const { user, phone } = await screens.show('/dashboard', screens.harness.addHomeowner());
  const { db, goOffline } = must(phone, 'a phone');
  goOffline();
  const seen = (uid: string) => ({
    uid,
    name: 'interest.see' as const,
    args: { id: makeTestId() },
    at: '2026-07-31T00:00:00.000Z',
    state: 'sent' as const,
    attempts: 1,
    lastError: null,
    base: [],
  });
  await db.outbox.bulkAdd([
    seen(makeTestId()),
    { ...seen(makeTestId()), from: { timeline: 'earlier', version: '9' }, restoring: 'not-found' },
  ] as never[]);
  await user.click(await screen.findByRole('button', { name: 'Your account' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Log Out' }));
  const dialog = await screen.findByRole('alertdialog');
  expect(await within(dialog).findByText('That you have seen a tradie’s interest')).toBeVisible();
  expect(within(dialog).getAllByRole('listitem')).toHaveLength(1);
  await db.outbox.clear();
});

test('what a restore has taken is said once, over the page', async () => {
  const { user, phone } = await screens.show('/dashboard', screens.harness.addHomeowner());
  const { db, goOffline } = must(phone, 'a phone');
  goOffline();
  await db.meta.put({ key: 'restored', value: { gone: 2, wentBack: 1 } });
  const text =
    '2 items newer than that are gone from this phone, and 1 item is as before a later change. What other phones made comes back as they connect.';
  const notice = must((await screen.findByText(text)).closest('[role="status"]'), 'the notice');
  expect(notice.closest('[data-over]')).not.toBeNull();
  await user.click(within(notice as HTMLElement).getByRole('button', { name: 'Dismiss' }));
  await waitFor(() => expect(screen.queryByText(text)).toBeNull());
});

test('what left with a restore and has come back since counts no more, also where it leaves again later', async () => {
  const { phone } = await screens.show('/dashboard', screens.harness.addHomeowner());
  const { db, userId, goOffline } = must(phone, 'a phone');
  goOffline();
  const [back, lost] = [makeJob({ userId }), makeJob({ userId })];
  const left = [back, lost].map(({ id }) => ['jobs', id]);
  await db.meta.put({ key: 'restored', value: { gone: 0, left, wentBack: 0 } });
  await screen.findByText(/^2 items newer than that are gone from this phone/);
  await db.jobs.put(back);
  await screen.findByText(/^1 item newer than that is gone from this phone/);
  await waitFor(async () => expect((await db.meta.get('restored'))?.value).toMatchObject({ left: [left[1]] }));
  await db.jobs.delete(back.id);
  await db.jobs.put(lost);
  await waitFor(async () => expect((await db.meta.get('restored'))?.value).toMatchObject({ left: [] }));
  await db.jobs.delete(lost.id);
  await waitFor(async () => expect(await db.jobs.count()).toBe(0));
  expect(screen.queryByText(/gone from this phone/)).toBeNull();
});

test('a photo whose job never came back after a restore can be saved, and is not only to be discarded', async () => {
  const { phone } = await screens.show('/waiting', screens.harness.addHomeowner());
  const { db, goOffline } = must(phone, 'a phone');
  goOffline();
  const id = makeTestId();
  await db.keptPhotos.put({ id, path: 'a/b.jpg', bytes: new Uint8Array([1]).buffer, type: 'image/jpeg', upTo: 1 });
  await db.refused.put({
    uid: makeTestId(),
    seq: 1,
    name: 'photo.attach',
    args: { id, jobId: makeTestId(), url: 'job-photos/a/b.jpg' },
    at: '2026-07-31T00:00:00.000Z',
    status: 'refused',
    code: 'not-found',
    message: 'Dwang was put back to an earlier copy, and what this is about never came back.',
    fields: null,
    refusedAt: '2026-07-31T00:00:00.000Z',
  });
  const save = await screen.findByRole('link', { name: 'Save picture' });
  expect(save).toHaveAttribute('download', 'photo.jpg');
  expect(save).toHaveAttribute('href', expect.stringMatching(/^blob:/));
  expect(screen.getByRole('button', { name: 'Discard' })).toBeEnabled();
});

test.for([
  { who: 'the person of the phone', isTheirs: true },
  { who: 'a stranger', isTheirs: false },
])('a password that a restore has lost, at the sign-in of $who', async ({ isTheirs }) => {
  const { user, app } = await screens.show('/dashboard', screens.harness.addHomeowner(), {
    auth: {
      signUp: async () => 'taken',
      signIn: async () => {
        throw new Error('Invalid login credentials');
      },
    },
  });
  await screen.findByRole('heading', { name: 'Your Posted Jobs (0)' });
  const authState = app.authState.current() as SignedIn;
  act(() => (app.authState as Cell<AuthState>).set({ ...authState, needsSignIn: true }));
  await user.click((await screen.findAllByRole('button', { name: 'Sign In' }))[0] ?? document.body);
  const dialog = within(await screen.findByRole('dialog'));
  const email = isTheirs ? authState.email.toUpperCase() : 'stranger@example.nz';
  await user.type(dialog.getByRole('textbox', { name: 'Email' }), email);
  await user.type(dialog.getByLabelText('Password'), 'secret1{Enter}');
  const refusal = await dialog.findByText(/^This is not the password of that account/);
  expect(/your password has to be chosen again/.test(refusal.textContent)).toBe(isTheirs);
});

const waiting = (name: 'interest.express' | 'job.edit', args: object) => ({
  uid: makeTestId(),
  name,
  args,
  at: '2026-07-31T00:00:00.000Z',
  state: 'sent' as const,
  attempts: 1,
  lastError: null,
  base: [],
  from: { timeline: 'earlier', version: '9' },
  restoring: 'not-found',
});

/** Became a tradie after the backup. */
async function showLostBusiness(path: string) {
  const person = screens.harness.addHomeowner();
  const shown = await screens.show(path, person);
  const phone = must(shown.phone, 'a phone');
  phone.goOffline();
  const business = makeTradie({ userId: person.id, businessName: 'Tama Fencing', nzbn: '9429040402543' });
  await phone.db.meta.put({ key: 'lostBusiness', value: business });
  return { ...shown, phone };
}

const lostWords = 'Your business was lost when our server was restored';

test.for(['/dashboard', '/waiting', '/edit-account'])(
  'who became a tradie after the backup is told on %s that their business was lost, and led to fill it in again',
  async (path) => {
    await showLostBusiness(path);
    expect(await screen.findByText(lostWords)).toBeVisible();
    expect(screen.getByText('Fill in Tama Fencing again: you won’t be charged twice.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Become a Tradie' })).toHaveAttribute('href', '/become-tradie');
  },
);

test('a business that a restore has lost is filled in already with what the phone had of it, and its person is not told that no payment page comes', async () => {
  const { phone, goTo } = await showLostBusiness('/dashboard');
  phone.goOnline();
  await screen.findByText(lostWords);
  await goTo('/become-tradie');
  expect(await screen.findByLabelText('Business name')).toHaveValue('Tama Fencing');
  expect(screen.getByLabelText('NZBN')).toHaveValue('9429040402543');
  // Test payments ask again: what was paid with them was in the database that was put back.
  expect(screen.getByText(/You won’t be charged twice\./)).toBeVisible();
  expect(screen.queryByText(/asked to pay/)).toBeNull();
});

test('an interest that waits for its person’s own lost business says so, and not that something is not back yet', async () => {
  const { phone } = await showLostBusiness('/waiting');
  await phone.db.outbox.add(waiting('interest.express', { id: makeTestId(), jobId: makeTestId() }) as never);
  expect(
    await screen.findByText(`${lostWords}, and this needs it. Fill it in again: we keep trying for three days.`),
  ).toBeVisible();
});

test.for(['job', 'edit-job'])(
  'a job that one’s other phone posted is not said on /%s to be closed while it is being restored',
  async (page) => {
    const id = makeTestId();
    const absent = async (): Promise<never> => {
      throw new CallRejected(404, JSON.stringify({ error: 'No such job.', code: 'not-found' }));
    };
    const { phone } = await screens.show(`/${page}/${id}`, screens.harness.addHomeowner(), {
      answers: { 'jobs.read': absent },
    });
    expect(await screen.findByRole('heading', { level: 1, name: 'Job not found' })).toBeVisible();
    const { db, goOffline } = must(phone, 'a phone');
    goOffline();
    await db.outbox.add(waiting('job.edit', { id, set: { title: 'Renamed' }, base: { title: 'Fence' } }) as never);
    expect(await screen.findByText('This job is being restored')).toBeVisible();
    expect(screen.getByText(/comes back once the phone that posted it has signal/)).toBeVisible();
    expect(screen.queryByText('Job not found')).toBeNull();
    await db.outbox.clear();
  },
);
