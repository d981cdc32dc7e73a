import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createToasts } from './create-toasts.ts';
import { iconPaths } from './icon-paths.ts';
import { UiProvider } from './ui-provider.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function openToasts() {
  const toasts = createToasts();
  render(
    <UiProvider backCloses={() => () => undefined} navigate={() => undefined} toasts={toasts}>
      <article>
        <button type="button">Elsewhere</button>
      </article>
    </UiProvider>,
  );
  const wait = (ms: number): void => {
    act(() => {
      vi.advanceTimersByTime(ms);
    });
  };
  const show = (...given: Parameters<typeof toasts.show>): void => {
    act(() => {
      toasts.show(...given);
    });
  };
  return { toasts, wait, show };
}

test('a toast stays 5,000 ms and not longer [§9]', () => {
  const { show, wait } = openToasts();
  show({ title: 'Job Posted!', description: 'Your job has been posted successfully.' });
  expect(screen.getByRole('status').textContent).toContain('Job Posted!');
  wait(4_999);
  expect(screen.getByText('Job Posted!')).toBeVisible();
  wait(1);
  expect(screen.queryByText('Job Posted!')).toBeNull();
});

test('a new toast takes the place of the old one and gets its whole time [§4 subscription, §9]', () => {
  const { show, wait } = openToasts();
  show({ title: 'Interest expressed' });
  wait(4_000);
  show({ title: 'Job closed' });
  expect(screen.queryByText('Interest expressed')).toBeNull();
  wait(4_999);
  expect(screen.getByText('Job closed')).toBeVisible();
  wait(1);
  expect(screen.queryByText('Job closed')).toBeNull();
});

test('a destructive toast interrupts as an alert [§3]', () => {
  const { show } = openToasts();
  show({ title: 'Error', description: 'Failed to post job', variant: 'destructive' });
  expect(screen.getByRole('alert').textContent).toContain('Failed to post job');
  expect(screen.getByRole('status').textContent).toBe('');
});

test('that nothing was saved is still there when a slow phone draws again, until it is put away', () => {
  const { show, wait } = openToasts();
  show({ title: 'Error', description: 'No room left', durationMs: Infinity });
  wait(60_000);
  act(() => void fireEvent.keyDown(document.body, { key: 'F8' }));
  act(() => screen.getByRole('button', { name: 'Elsewhere' }).focus());
  wait(60_000);
  expect(screen.getByText('No room left')).toBeVisible();
  fireEvent.click(screen.getByRole('button', { name: 'Close notification' }));
  expect(screen.queryByText('No room left')).toBeNull();
});

test('F8 brings the focus to the toast, which then waits; Escape puts it away and gives the focus back [§9]', () => {
  const { show, wait } = openToasts();
  const elsewhere = screen.getByRole('button', { name: 'Elsewhere' });
  act(() => elsewhere.focus());
  show({ title: 'Job Updated!' });
  wait(3_000);
  act(() => void fireEvent.keyDown(document.body, { key: 'F8' }));
  const region = screen.getByRole('region', { name: 'Notifications (F8)' });
  expect(document.activeElement).toBe(region);
  wait(60_000);
  expect(screen.getByText('Job Updated!')).toBeVisible();
  act(() => void fireEvent.keyDown(region, { key: 'Escape' }));
  expect(screen.queryByText('Job Updated!')).toBeNull();
  expect(document.activeElement).toBe(elsewhere);
});

test('after the focus has left, only what was left of the time runs', () => {
  const { show, wait } = openToasts();
  show({ title: 'Profile Updated' });
  wait(3_000);
  act(() => void fireEvent.keyDown(document.body, { key: 'F8' }));
  wait(10_000);
  act(() => screen.getByRole('button', { name: 'Elsewhere' }).focus());
  wait(1_999);
  expect(screen.getByText('Profile Updated')).toBeVisible();
  wait(1);
  expect(screen.queryByText('Profile Updated')).toBeNull();
});

test('the close button and the action both put it away, the action after doing its work [§3]', () => {
  const { show } = openToasts();
  const onAction = vi.fn();
  show({ title: 'Saved on this phone', action: { label: 'See', onAction } });
  fireEvent.click(screen.getByRole('button', { name: 'See' }));
  expect(onAction).toHaveBeenCalledOnce();
  expect(screen.queryByText('Saved on this phone')).toBeNull();
  show({ title: 'Job closed' });
  fireEvent.click(screen.getByRole('button', { name: 'Close notification' }));
  expect(screen.queryByText('Job closed')).toBeNull();
});

test.each([
  { byPx: 49, isGone: false },
  { byPx: 50, isGone: true },
])('swiped $byPx px to the right it is gone: $isGone [§4 subscription, §9]', ({ byPx, isGone }) => {
  const { show } = openToasts();
  show({ title: 'Job Posted!' });
  const words = screen.getByText('Job Posted!');
  const finger = { pointerId: 1, pointerType: 'touch', button: 0, clientY: 10 };
  fireEvent.pointerDown(words, { ...finger, clientX: 10 });
  fireEvent.pointerMove(words, { ...finger, clientX: 22 });
  fireEvent.pointerMove(words, { ...finger, clientX: 10 + byPx });
  fireEvent.pointerUp(words, { ...finger, clientX: 10 + byPx });
  expect(screen.queryByText('Job Posted!') === null).toBe(isGone);
});

test.each([
  { pointerType: 'touch', startPx: 10 },
  { pointerType: 'mouse', startPx: 2 },
])('a swipe begins after $startPx px by $pointerType [§9]', ({ pointerType, startPx }) => {
  const { show } = openToasts();
  show({ title: 'Job Posted!' });
  const words = screen.getByText('Job Posted!');
  const pointer = { pointerId: 1, pointerType, button: 0, clientY: 10 };
  fireEvent.pointerDown(words, { ...pointer, clientX: 10 });
  fireEvent.pointerMove(words, { ...pointer, clientX: 10 + startPx - 1 });
  expect(document.querySelector('[data-swiping]')).toBeNull();
  fireEvent.pointerMove(words, { ...pointer, clientX: 10 + startPx });
  expect(document.querySelector('[data-swiping]')).not.toBeNull();
});

/*
 * Where things lie is the test's: nothing is laid out here (e2e/every-flow-online.spec.ts shows toasts in a browser).
 */
test.each([
  ['under it', 700, 690, true],
  ['above it, on a card that reaches under it', 600, 590, true],
  ['above it, with its card', 300, 290, false],
])('a toast covers nothing that it speaks of: what was pressed lies %s', (_where, top, cardTop, isAbove) => {
  const { show } = openToasts();
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    if (this.tagName === 'ARTICLE') return new DOMRect(0, cardTop, 390, 150);
    return this.tagName === 'SECTION' ? new DOMRect(0, 650, 390, 100) : new DOMRect(20, top, 200, 48);
  });
  screen.getByRole('button', { name: 'Elsewhere' }).focus();
  show({ title: 'Not closed', description: 'Your job stays open to tradies.' });
  const region = screen.getByRole('region', { name: 'Notifications (F8)' });
  expect(region.hasAttribute('data-above')).toBe(isAbove);
  vi.restoreAllMocks();
});

test('a toast that tells of no signal has no tick, which would say that something was done', () => {
  const { show } = openToasts();
  const picture = () =>
    screen
      .getByRole('region', { name: /^Notifications/ })
      .querySelector('path')
      ?.getAttribute('d');
  show({ title: 'Job Posted!' });
  expect(picture()).toBe(iconPaths.checkCircle);
  show({ title: 'No signal just now', icon: 'cloudOff' });
  expect(picture()).toBe(iconPaths.cloudOff);
});
