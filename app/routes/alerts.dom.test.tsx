import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCell } from '../lib/cell.ts';
import type { PushAlerts, PushState } from '../pwa/push-alerts.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

/* Whether this device tells its person of news with the app closed: Manage Account. */

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

function fakeAlerts(first: PushState, turned: PushState | Error = 'on'): PushAlerts {
  const state = createCell<PushState>(first);
  return {
    state,
    turnOn: async () => {
      if (turned instanceof Error) throw turned;
      state.set(turned);
      return turned;
    },
    turnOff: async () => state.set('off'),
    end: async () => undefined,
    look: async () => undefined,
  };
}

const open = (alerts: PushAlerts, options: { offline?: boolean } = {}) =>
  screens.show('/edit-account', screens.harness.addHomeowner(), { ...options, app: { alerts } });

test('a homeowner is told what alerts are before the browser asks, and turns them on and off [16.3]', async () => {
  await open(fakeAlerts('off'));
  expect(await screen.findByText(/Hear at once when a tradie is interested in your job/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Turn on alerts' }));
  expect(await screen.findByText('On for this device')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Turn off' }));
  expect(await screen.findByText('Off for this device')).toBeVisible();
});

test('a person who says no to the browser learns where to change it [16.3]', async () => {
  await open(fakeAlerts('off', 'blocked'));
  await userEvent.click(await screen.findByRole('button', { name: 'Turn on alerts' }));
  expect(await screen.findByText(/blocked in this browser/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Turn on alerts' })).toBeNull();
});

test('alerts that the server did not hear of are not called on [16.3]', async () => {
  await open(fakeAlerts('off', new Error('We couldn’t reach the server.')));
  await userEvent.click(await screen.findByRole('button', { name: 'Turn on alerts' }));
  expect(await screen.findByText('We couldn’t reach the server.')).toBeVisible();
  expect(screen.getByText('Off for this device')).toBeVisible();
});

test('without signal alerts can be turned off, and not on [16.3]', async () => {
  await open(fakeAlerts('on'), { offline: true });
  await userEvent.click(await screen.findByRole('button', { name: 'Turn off' }));
  expect(await screen.findByText('Off for this device')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Turn on alerts' })).toBeDisabled();
});

test.each([
  ['install', /add Dwang to your Home Screen first/],
  ['unsupported', /can’t show alerts/],
] as const)('where alerts are %s, the card says what to do and offers no button [16.3]', async (state, says) => {
  await open(fakeAlerts(state));
  expect(await screen.findByText(says)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Turn on alerts' })).toBeNull();
});
