import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { slowAfterMs } from '../sync/status.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

/* What a page that is pulled down on a phone answers. */

let screens: Screens;
beforeEach(async () => {
  Object.assign(window, { ontouchstart: null });
  screens = await openScreens();
});
afterEach(async () => {
  await screens.close();
  delete (window as { ontouchstart?: unknown }).ontouchstart;
});

async function pullDown(): Promise<void> {
  const bar = (await screen.findByText('Let go to look again')).parentElement;
  const finger = (clientY: number) => ({ touches: [{ clientX: 200, clientY }] });
  fireEvent.touchStart(document.body, finger(100));
  fireEvent.touchMove(document.body, finger(300));
  expect(bar).toHaveAttribute('data-enough');
  fireEvent.touchEnd(document.body);
  expect(bar).not.toHaveAttribute('data-enough');
}

test('pulled down on a line that hangs the page says that there is no answer yet, though nothing waits', async () => {
  const { phone } = await screens.show('/dashboard', screens.harness.addHomeowner());
  const { hold, inFlight } = must(phone, 'the phone');
  hold();
  await pullDown();
  await waitFor(() => expect(inFlight()).toHaveLength(1));
  expect(await screen.findByText('No answer yet', {}, { timeout: 10_000 })).toBeVisible();
});

test('pulled down without signal the page answers at once', async () => {
  await screens.show('/dashboard', screens.harness.addHomeowner(), { offline: true });
  await pullDown();
  expect(await screen.findByText('No signal just now')).toBeVisible();
});

test('pulled down, and answered, the page says nothing', async () => {
  const { phone } = await screens.show('/dashboard', screens.harness.addHomeowner());
  const { db } = must(phone, 'the phone');
  const before = (await db.meta.get('lastSynced'))?.value;
  const pulledAt = performance.now();
  await pullDown();
  await waitFor(async () => expect((await db.meta.get('lastSynced'))?.value).not.toBe(before));
  // A machine that stalls for so long is told so with reason.
  const wasSlow = performance.now() - pulledAt > slowAfterMs;
  await new Promise((resolve) => setTimeout(resolve, slowAfterMs + 500));
  expect(wasSlow || screen.queryByText('No answer yet') === null).toBe(true);
});

test('pulled down over a list that is scrolled in itself, the page asks nothing', async () => {
  await screens.show('/dashboard', screens.harness.addHomeowner());
  const bar = (await screen.findByText('Let go to look again')).parentElement;
  const list = document.body.appendChild(document.createElement('div'));
  list.scrollTop = 300;
  const row = list.appendChild(document.createElement('p'));
  const finger = (clientY: number) => ({ touches: [{ clientX: 200, clientY }] });
  fireEvent.touchStart(row, finger(100));
  fireEvent.touchMove(row, finger(300));
  expect(bar).not.toHaveAttribute('data-enough');
  list.scrollTop = 0;
  fireEvent.touchStart(row, finger(100));
  fireEvent.touchMove(row, finger(300));
  expect(bar).toHaveAttribute('data-enough');
  fireEvent.touchCancel(row);
});
