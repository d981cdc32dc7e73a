import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { ArgsOf } from '../../shared/mutations/index.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';
import { iconPaths } from '../ui/icon-paths.ts';

/* What the waiting page answers to "Send now" and to "Discard". */

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

test('“Send now” without signal answers', async () => {
  const { user, phone } = await screens.show('/waiting', screens.harness.addHomeowner(), { offline: true });
  await phone?.sync.mutate('job.post', post());
  await user.click(await screen.findByRole('button', { name: 'Send now' }));
  expect(await screen.findByText('No signal just now')).toBeVisible();
  const told = screen.getByRole('region', { name: /^Notifications/ });
  expect(told.querySelector('path')).toHaveAttribute('d', iconPaths.cloudOff);
  expect(screen.getByRole('button', { name: 'Cancel' })).toBeEnabled();
});

test('the server does not answer although the line is up: that is the reason that is said, everywhere, and never the signal', async () => {
  const { user, phone } = await screens.show('/waiting', screens.harness.addHomeowner());
  const { loseServer, sync } = must(phone, 'the phone');
  loseServer();
  await sync.mutate('job.post', post());
  expect(await screen.findByText("Can't reach Dwang, trying again. 1 change waiting.")).toBeVisible();
  expect(screen.getByText("Dwang can't be reached just now. These go out by themselves.")).toBeVisible();
  // It is not called failed: nothing that answered has turned it back.
  expect(screen.getByText('Saved on this phone')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Send now' }));
  expect(await screen.findByText("Dwang can't be reached just now")).toBeVisible();
  expect(screen.getByText('It is saved on this phone, and we keep trying.')).toBeVisible();
  for (const word of [/signal/i, /coverage/i, /offline/i]) expect(screen.queryByText(word)).toBeNull();
});

test('“Send now” on a line that hangs answers while it hangs: no answer yet, and the change is still here', async () => {
  const { user, phone } = await screens.show('/waiting', screens.harness.addHomeowner());
  const { hold, inFlight, sync } = must(phone, 'the phone');
  hold();
  await sync.mutate('job.post', post());
  await waitFor(() => expect(inFlight()).toHaveLength(1));
  await user.click(await screen.findByRole('button', { name: 'Send now' }));
  expect(await screen.findByText('No answer yet', {}, { timeout: 10_000 })).toBeVisible();
  expect(screen.getByText('It is saved on this phone, and we keep trying.')).toBeVisible();
  expect(inFlight()).toHaveLength(1);
  expect(screen.getByText('New job “Fix the gate”')).toBeVisible();
});

test('a change that goes out while its person is asked whether to cancel it is not called unsent any more', async () => {
  const { user, phone } = await screens.show('/waiting', screens.harness.addHomeowner(), { offline: true });
  await must(phone, 'the phone').sync.mutate('job.post', post());
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  const asked = await screen.findByRole('alertdialog', { name: 'Cancel this?' });
  expect(within(asked).getByText(/It will not be sent/)).toBeVisible();
  screens.harness.goOnline(must(phone, 'the phone'));
  const told = await screen.findByRole('alertdialog', { name: 'Too late to cancel' });
  expect(within(told).queryByText(/will not be sent/)).toBeNull();
  expect(within(told).queryByRole('button', { name: 'Cancel it' })).toBeNull();
  expect(told).toContainElement(document.activeElement as HTMLElement);
  await user.click(within(told).getAllByRole('button', { name: 'Close' })[1]!);
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('a change that Dwang could not process yet is not called gone when its copy here is discarded', async () => {
  const { user, phone } = await screens.show('/waiting', screens.harness.addHomeowner());
  await must(phone, 'the phone').db.refused.add({
    uid: makeTestId(),
    seq: 1,
    name: 'job.post',
    args: post(),
    at: '2026-05-01T00:00:00.000Z',
    status: 'parked',
    code: 'parked',
    message: 'We couldn’t process this yet. We’re looking into it.',
    fields: null,
    refusedAt: '2026-05-01T00:00:00.000Z',
  });
  await user.click(await screen.findByRole('button', { name: 'Discard' }));
  expect(screen.queryByText(/nothing brings it back/)).toBeNull();
  expect(await screen.findByText(/may still go through/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Discard it' }));
  expect(await screen.findByText('Dwang still looks into it.')).toBeVisible();
});
