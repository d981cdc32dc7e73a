import { screen, waitFor, within } from '@testing-library/react';
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

test('the signal comes while its person is asked about Cancel: the question stays, its answer says that it has left, and the focus is kept', async () => {
  const { user, phone: open } = await screens.show('/waiting', screens.harness.addHomeowner(), { offline: true });
  const phone = must(open, 'the phone');
  await phone.sync.mutate('job.post', post());
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Cancel this?' }));
  phone.hold();
  phone.sync.sendNow();
  await waitFor(async () => expect((await phone.db.outbox.toArray()).map(({ state }) => state)).toEqual(['sent']));
  await user.click(question.getByRole('button', { name: 'Cancel it' }));
  expect(await screen.findByText("It's on its way already")).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus());
  expect(await phone.db.jobs.count()).toBe(1);
});

test('it is sent and decided while its person is asked about Cancel: the answer says that it is not waiting any more', async () => {
  const { user, phone: open } = await screens.show('/waiting', screens.harness.addHomeowner(), { offline: true });
  const phone = must(open, 'the phone');
  await phone.sync.mutate('job.post', post());
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Cancel this?' }));
  screens.harness.goOnline(phone);
  phone.sync.sendNow();
  await waitFor(async () => expect(await phone.db.outbox.count()).toBe(0), { timeout: 10_000 });
  await user.click(question.getByRole('button', { name: 'Cancel it' }));
  expect(await screen.findByText('It is not waiting any more')).toBeVisible();
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus());
  expect(screens.harness.server.rows.jobs.size).toBe(1);
});
