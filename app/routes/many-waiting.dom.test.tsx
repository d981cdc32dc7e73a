import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makePost } from '../testing/make-mutate-ports.ts';
import { makeJob, makeTestId } from '../../shared/testing/make.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

test('where many wait, what is saved beside them is not held up by movement', async () => {
  const moved = vi.fn((change: () => void) => {
    change();
    return { ready: Promise.resolve() };
  });
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  document.startViewTransition = moved as unknown as Document['startViewTransition'];
  try {
    const { phone } = await screens.show('/waiting', screens.harness.addHomeowner(), { offline: true });
    await screen.findByText('Everything has been sent');
    for (let at = 0; at < 20; at += 1) await phone?.sync.mutate('job.post', makePost(makeTestId()));
    await screen.findByRole('heading', { level: 1, name: 'Waiting to send (20)' });
    const moves = moved.mock.calls.length;
    expect(moves).toBeGreaterThan(0);
    await phone?.sync.mutate('job.post', makePost(makeTestId()));
    await screen.findByRole('heading', { level: 1, name: 'Waiting to send (21)' });
    await phone?.sync.mutate('job.post', makePost(makeTestId()));
    await screen.findByRole('heading', { level: 1, name: 'Waiting to send (22)' });
    expect(moved.mock.calls.length - moves).toBeLessThan(2);
  } finally {
    Reflect.deleteProperty(document, 'startViewTransition');
    vi.unstubAllGlobals();
  }
});

test('a change that has left the phone without an answer is not called unsent as its person logs out', async () => {
  const { user, phone } = await screens.show('/dashboard', screens.harness.addHomeowner());
  const { db, goOffline } = must(phone, 'a phone');
  goOffline();
  await db.outbox.add({
    uid: makeTestId(),
    name: 'job.close',
    args: { id: makeTestId() },
    at: '2026-11-02T10:00:00.000Z',
    state: 'sent',
    attempts: 1,
    lastError: null,
    base: [],
  } as never);
  await user.click(await screen.findByRole('button', { name: 'Your account' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Log Out' }));
  const dialog = await screen.findByRole('alertdialog');
  expect(await within(dialog).findByText(/^We can’t tell yet whether this was sent\./)).toBeVisible();
  expect(within(dialog).getByText('Jobs and drafts kept on this phone are removed.')).toBeVisible();
  await db.outbox.clear();
});

test('at log-out a rejected edit is named as on the dashboard: by what its job is called now', async () => {
  const owner = screens.harness.addHomeowner();
  const { user, phone } = await screens.show('/dashboard', owner);
  const { db } = must(phone, 'a phone');
  const job = makeJob({ userId: owner.id, title: 'Theirs' });
  await db.jobs.put(job);
  await db.refused.put({
    uid: makeTestId(),
    seq: 1,
    name: 'job.edit',
    args: { id: job.id, set: { title: 'Mine' }, base: { title: 'Old' } },
    at: '',
    status: 'refused',
    code: 'stale',
    message: 'It was changed elsewhere.',
    fields: null,
    refusedAt: '',
    base: [{ table: 'jobs', row: { ...job, title: 'Mine' } }],
  });
  await user.click(await screen.findByRole('button', { name: 'Your account' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Log Out' }));
  const dialog = await screen.findByRole('alertdialog');
  expect(await within(dialog).findByText('Changes to “Theirs”')).toBeVisible();
});
