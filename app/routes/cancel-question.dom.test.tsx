import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { ArgsOf } from '../../shared/mutations/index.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

const post = (): ArgsOf<'job.post'> => ({
  id: makeTestId(),
  title: 'Fix the gate',
  description: 'It sags.',
  locationId: 'southland/winton',
  budgetMax: null,
  urgency: 'soon',
  categoryId: 'builder',
});

async function closeTooLate(user: UserEvent): Promise<void> {
  const told = within(await screen.findByRole('alertdialog', { name: 'Too late to cancel' }));
  await user.click(must(told.getAllByRole('button', { name: 'Close' }).at(-1), 'its button'));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
}

test('the signal comes while its person is asked about Cancel: it is said to be too late, nothing can be cancelled, and the focus is kept', async () => {
  const { user, phone: open } = await screens.show('/waiting', screens.harness.addHomeowner(), { offline: true });
  const phone = must(open, 'the phone');
  await phone.sync.mutate('job.post', post());
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Cancel this?' }));
  phone.hold();
  phone.sync.sendNow();
  await waitFor(async () => expect((await phone.db.outbox.toArray()).map(({ state }) => state)).toEqual(['sent']));
  await closeTooLate(user);
  expect(question.queryByRole('button', { name: 'Cancel it' })).toBeNull();
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus());
  expect(await phone.db.jobs.count()).toBe(1);
});

test('it is sent and decided while its person is asked about Cancel: it is said to be too late as well', async () => {
  const { user, phone: open } = await screens.show('/waiting', screens.harness.addHomeowner(), { offline: true });
  const phone = must(open, 'the phone');
  await phone.sync.mutate('job.post', post());
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Cancel this?' }));
  screens.harness.goOnline(phone);
  phone.sync.sendNow();
  await waitFor(async () => expect(await phone.db.outbox.count()).toBe(0), { timeout: 10_000 });
  await closeTooLate(user);
  expect(question.queryByRole('button', { name: 'Cancel it' })).toBeNull();
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus());
  expect(screens.harness.server.rows.jobs.size).toBe(1);
});
