import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeJob } from '../../shared/testing/make.ts';
import type { User } from '../../shared/tables/index.ts';
import { openScreens, type Screen, type Screens } from '../testing/open-screens.tsx';

/* The line is up, and the server is not there: the signal is not the reason, and is not named as one. */

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

async function showAway(path: string, person: User): Promise<Screen> {
  const shown = await screens.show(path, person);
  const { loseServer, sync } = must(shown.phone, 'the phone');
  loseServer();
  act(() => sync.sendNow());
  expect(await screen.findByText(/^Can't reach Dwang, trying again\./)).toBeVisible();
  return shown;
}

const saysNothingOfSignal = () => {
  for (const word of [/(need|have|no) signal/i, /coverage/i, /^offline/i]) expect(screen.queryByText(word)).toBeNull();
};

test('an interest says that it is sent once Dwang can be reached, and so does what was saved', async () => {
  const job = makeJob({ userId: screens.harness.addHomeowner().id });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  const { user } = await showAway(`/job/${job.id}`, screens.harness.addTradie());
  await user.click(await screen.findByRole('button', { name: 'Express Interest' }));
  expect(await screen.findByText("We'll send your interest once Dwang can be reached.")).toBeVisible();
  expect(
    await screen.findByText("Saved on this phone. We'll send it once Dwang can be reached.", {}, { timeout: 10_000 }),
  ).toBeVisible();
  saysNothingOfSignal();
});

test('what needs the server is off, and says that Dwang cannot be reached', async () => {
  await showAway('/edit-account', screens.harness.addTradie({ subscriptionValidUntil: '2099-01-31T00:00:00.000Z' }));
  await waitFor(() => expect(screen.getAllByText("Dwang can't be reached just now").length).toBeGreaterThan(1));
  expect(screen.getByRole('button', { name: 'Manage Billing' })).toBeDisabled();
  saysNothingOfSignal();
});

test('once the server is back the bar is gone, and what was off works', async () => {
  const { phone } = await showAway('/edit-account', screens.harness.addTradie());
  screens.harness.goOnline(must(phone, 'the phone'));
  await waitFor(() => expect(screen.queryByText(/^Can't reach Dwang/)).toBeNull());
  await waitFor(() => expect(screen.getByRole('button', { name: 'Manage Billing' })).toBeEnabled());
});
