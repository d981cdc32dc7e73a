import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

/* What people read once the server's database was restored (server and network are fakes; e2e/restore-postgres.spec.ts has both). */

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
    '2 items left this phone with it, and 1 item is as before a later change. What other phones made comes back as they connect.';
  const notice = must((await screen.findByText(text)).closest('[role="status"]'), 'the notice');
  expect(notice.closest('[data-over]')).not.toBeNull();
  await user.click(within(notice as HTMLElement).getByRole('button', { name: 'Dismiss' }));
  await waitFor(() => expect(screen.queryByText(text)).toBeNull());
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
  expect(save.getAttribute('href')).toMatch(/^blob:/);
  expect(screen.getByRole('button', { name: 'Discard' })).toBeVisible();
});
