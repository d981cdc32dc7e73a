import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeJob } from '../../shared/testing/make.ts';
import type { Unsent } from '../context/app-context.ts';
import { createCell } from '../lib/cell.ts';
import type { UpdateState } from '../pwa/app-update.ts';
import type { InstallState } from '../pwa/install-offer.ts';
import { postGate } from '../testing/post-gate.ts';
import { fakeAlerts } from '../testing/fake-alerts.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

test('the offer to install: a button where the browser can, words for iOS, and a "no" is kept [§offline]', async () => {
  const state = createCell<InstallState>('none');
  const install = {
    state,
    enable: () => undefined,
    install: vi.fn(async () => true),
    dismiss: () => state.set('none'),
  };
  const { user } = await screens.show('/legal', screens.harness.addTradie(), { app: { install } });
  expect(screen.queryByText('Keep Dwang on your phone')).toBeNull();
  act(() => state.set('button'));
  await user.click(await screen.findByRole('button', { name: 'Install' }));
  expect(install.install).toHaveBeenCalledOnce();
  act(() => state.set('ios'));
  expect(screen.getByText(/Tap Share, then Add to Home Screen\./)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Install' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText('Keep Dwang on your phone')).toBeNull();
});

test('a device that turns out to have no alerts, after an interest that could have led to them, is offered to install', async () => {
  const install = {
    state: createCell<InstallState>('button'),
    enable: () => undefined,
    install: async () => true,
    dismiss: () => undefined,
  };
  const alerts = fakeAlerts('starting', 'unsupported');
  const job = makeJob();
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  const tradie = screens.harness.addTradie();
  const { user, app } = await screens.show(`/job/${job.id}`, tradie, { app: { install, alerts } });
  await user.click(await screen.findByRole('button', { name: 'Express Interest' }));
  await waitFor(() => expect(app.alertOffer.current()).not.toBeNull());
  await act(() => alerts.turnOn(tradie.id));
  expect(await screen.findByText('Keep Dwang on your phone')).toBeVisible();
});

test('the first interest that the server has applied offers to install the app [§offline]', async () => {
  const offerInstallAfter = vi.fn();
  const job = makeJob();
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  const { user } = await screens.show(`/job/${job.id}`, screens.harness.addTradie(), { app: { offerInstallAfter } });
  await user.click(await screen.findByRole('button', { name: 'Express Interest' }));
  await waitFor(() => expect(offerInstallAfter).toHaveBeenCalledWith('first-interest'));
});

test('an interest that waits offers nothing until the server has applied it [§offline]', async () => {
  const offerInstallAfter = vi.fn();
  const job = makeJob();
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  const { user, phone } = await screens.show(`/job/${job.id}`, screens.harness.addTradie(), {
    app: { offerInstallAfter },
    offline: true,
  });
  await user.click(await screen.findByRole('button', { name: 'Express Interest' }));
  expect(
    await screen.findByText(
      "Saved on this phone. We'll send it when you're back in coverage.",
      {},
      { timeout: 10_000 },
    ),
  ).toBeVisible();
  expect(offerInstallAfter).not.toHaveBeenCalled();
  screens.harness.goOnline(...(phone === undefined ? [] : [phone]));
  expect(await screen.findByText('Interest expressed', {}, { timeout: 10_000 })).toBeVisible();
  expect(offerInstallAfter).toHaveBeenCalledWith('first-interest');
});

test('a visitor, whose frame has no part for members, is told of a newer version too', async () => {
  const state = createCell<UpdateState>('none');
  await screens.show('/legal', undefined, {
    app: { update: { state, accept: () => undefined, look: () => undefined } },
  });
  expect(screen.queryByRole('button', { name: 'Reload' })).toBeNull();
  act(() => state.set('ready'));
  expect(await screen.findByRole('button', { name: 'Reload' })).toBeEnabled();
  // Until it is active, which an exchange that hangs may delay, the button says that the tap was heard.
  act(() => state.set('taken'));
  expect(await screen.findByRole('button', { name: /^Reloading…/ })).toBeVisible();
});

test('a new version is offered, held back while something is typed, and taken only at the tap [§offline]', async () => {
  const state = createCell<UpdateState>('none');
  const accept = vi.fn();
  const { user, goTo } = await screens.show('/post-job', screens.harness.addHomeowner(), {
    app: { update: { state, accept, look: () => undefined } },
  });
  await user.type(await screen.findByRole('textbox', { name: 'Title' }), 'Half a job');
  act(() => state.set('ready'));
  expect(screen.queryByText("A new version is ready. Reload when you're done.")).toBeNull();
  await goTo('/legal');
  expect(await screen.findByText("A new version is ready. Reload when you're done.")).toBeVisible();
  expect(accept).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Reload' }));
  expect(accept).toHaveBeenCalledOnce();
});

test('on an iPhone that is not installed, a queued job asks to keep the page open, and says what Safari does after seven days [§offline]', async () => {
  const { phone } = await screens.show('/waiting', screens.harness.addHomeowner(), {
    offline: true,
    app: { evictsAfterWeek: true },
  });
  await postGate(must(phone, 'the phone'));
  expect(await screen.findByText("Keep this page open until it's sent")).toBeVisible();
  expect(screen.getByText(/^Safari deletes what a website has saved after seven days/)).toBeVisible();
});

test('what was cleared and had not been sent is told after the sign-in too, with the day, until it was read', async () => {
  const unsent = createCell<Unsent | null>({ sentAt: '2026-05-01T09:00:00.000Z' });
  const { user } = await screens.show('/dashboard', screens.harness.addHomeowner(), { app: { unsent } });
  expect(
    await screen.findByText('Not everything you saved here had been sent. Look through what you did since 1 May 2026.'),
  ).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText(/^Not everything you saved here/)).toBeNull();
  expect(unsent.current()).toBeNull();
});

test.each([
  [1, 'One thing that you saved here had not been sent.'],
  [3, 'Up to 3 things that you saved here had not been sent.'],
  [9, '9 things or more that you saved here had not been sent.'],
])('of %s that waited, the number is told', async (number, said) => {
  const unsent = createCell<Unsent | null>({ sentAt: '2026-05-01T09:00:00.000Z', count: number });
  await screens.show('/dashboard', screens.harness.addHomeowner(), { app: { unsent } });
  expect(await screen.findByText(`${said} Look through what you did since 1 May 2026.`)).toBeVisible();
});
