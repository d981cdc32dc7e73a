import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createToasts } from './create-toasts.ts';
import { Dialog } from './dialog.tsx';
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
  expect(screen.getByRole('status')).toHaveTextContent('Job Posted!');
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
  expect(screen.getByRole('alert')).toHaveTextContent('Failed to post job');
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
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
  expect(region).toHaveFocus();
  wait(60_000);
  expect(screen.getByText('Job Updated!')).toBeVisible();
  act(() => void fireEvent.keyDown(region, { key: 'Escape' }));
  expect(screen.queryByText('Job Updated!')).toBeNull();
  expect(elsewhere).toHaveFocus();
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

const saved = { title: 'Saved on this phone' };
test.each([
  ['what was said of an earlier act goes', saved, true, false],
  ['what came by itself since stays', saved, false, true],
  ['Undo of an earlier act stays', { ...saved, undo: () => undefined }, true, true],
  ['an error that has to be put away stays', { ...saved, durationMs: Infinity }, true, true],
])('when a window opens: %s', (_what, content, hasActedSince, isThere) => {
  const toasts = createToasts();
  const page = (isOpen: boolean) => (
    <UiProvider backCloses={() => () => undefined} navigate={() => undefined} toasts={toasts}>
      <Dialog title="A window" isOpen={isOpen} onOpenChange={() => undefined}>
        Words
      </Dialog>
    </UiProvider>
  );
  const { rerender } = render(page(false));
  fireEvent.pointerDown(document.body);
  act(() => void toasts.show(content));
  if (hasActedSince) fireEvent.pointerDown(document.body);
  rerender(page(true));
  expect(screen.getByRole('dialog', { name: 'A window' })).toBeVisible();
  expect(toasts.current() !== undefined).toBe(isThere);
});

test('a press on the toast itself is no act that it is older than', () => {
  const { toasts, show } = openToasts();
  show(saved);
  fireEvent.pointerDown(screen.getByText('Saved on this phone'));
  act(() => toasts.goOn());
  expect(screen.getByText('Saved on this phone')).toBeVisible();
});

/*
 * Where things lie is the test's: nothing is laid out here (e2e/toast-place.spec.ts shows toasts in a browser). The
 * window is 768 px high; a toast of 100 px stands at its foot, or under a header of 60 px.
 */
function layOut(boxOf: (part: Element) => DOMRect | undefined): void {
  vi.stubGlobal('innerWidth', 390);
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    if (!this.matches('section[aria-label^="Notifications"]')) return boxOf(this) ?? new DOMRect();
    const raised = Number.parseFloat(this.style.getPropertyValue('--raise')) || 0;
    return new DOMRect(0, this.hasAttribute('data-above') ? 60 : 650 - raised, 390, 100);
  });
}
/** Where it stands is worked out by a module that is loaded with the first toast. */
const standsAt = async () => {
  await vi.dynamicImportSettled();
  return topNow();
};
const topNow = () => screen.getByRole('region', { name: 'Notifications (F8)' }).getBoundingClientRect().top;
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test.each([
  ['under it', 700, 690, 60],
  ['above it, on a card that reaches under it', 600, 590, 60],
  ['above it, with its card', 300, 290, 650],
])('a toast covers nothing that it speaks of: what was pressed lies %s', async (_where, top, cardTop, at) => {
  const { show } = openToasts();
  layOut(({ tagName }) => (tagName === 'ARTICLE' ? new DOMRect(0, cardTop, 390, 150) : new DOMRect(20, top, 200, 48)));
  screen.getByRole('button', { name: 'Elsewhere' }).focus();
  show({ title: 'Not closed', description: 'Your job stays open to tradies.' });
  expect(await standsAt()).toBe(at);
});

/** A page whose top button is pressed, and whose other buttons lie at these heights. */
function showPage(tops: Readonly<Record<string, number>>): ReturnType<typeof openToasts> {
  const opened = openToasts();
  const main = document.createElement('main');
  main.innerHTML = Object.keys(tops)
    .map((name) => `<button type="button">${name}</button>`)
    .join('');
  document.body.append(main);
  layOut(({ tagName, textContent }) => {
    const top = tagName === 'BUTTON' ? tops[textContent] : undefined;
    return top === undefined ? undefined : new DOMRect(20, top, 200, 48);
  });
  screen.getByRole('button', { name: 'Send now' }).focus();
  return opened;
}
afterEach(() => document.querySelector('main')?.remove());

test.each([
  ['under the header, where it covers nothing', { 'Send now': 200, Cancel: 700 }, 60],
  ['above what it would cover, where there is no room under the header', { 'Send now': 100, Cancel: 700 }, 592],
  [
    'at the foot, where no place near it covers less',
    { 'Send now': 100, Open: 400, Copy: 500, Retry: 600, Cancel: 700 },
    650,
  ],
  [
    'where it covers less',
    { 'Send now': 100, Open: 200, Copy: 300, Retry: 400, Edit: 500, Discard: 600, Cancel: 700 },
    650,
  ],
])('the answer to "Send now" does not lie over "Cancel" of what waits: it stands %s', async (_where, tops, at) => {
  const { show } = showPage(tops);
  show({ title: 'No signal just now' });
  expect(await standsAt()).toBe(at);
});

test('in a wide window a toast keeps its edge of it, and stands above what it would cover', async () => {
  const { show } = showPage({ 'Send now': 300, Cancel: 700 });
  vi.stubGlobal('innerWidth', 1_280);
  show({ title: 'No signal just now' });
  expect(await standsAt()).toBe(592);
});

test('a button that comes under a toast later, in what was pressed, makes it move; one elsewhere does not', async () => {
  const tops: Record<string, number> = { 'Send now': 300, 'Turn on alerts': 700 };
  const { show } = showPage({ 'Send now': 300 });
  show({ title: 'Interest expressed' });
  expect(await standsAt()).toBe(650);
  layOut(({ tagName, textContent }) =>
    tagName === 'BUTTON' ? new DOMRect(20, tops[textContent] ?? 0, 200, 48) : undefined,
  );
  const offer = document.createElement('button');
  offer.textContent = 'Turn on alerts';
  document.body.append(offer);
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(await standsAt()).toBe(650);
  document.querySelector('main')?.append(offer);
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(await standsAt()).toBe(60);
});

test('where what was pressed has left the page, what it stood in is kept clear', async () => {
  const { show } = showPage({ 'Send now': 300, Cancel: 700 });
  screen.getByRole('button', { name: 'Send now' }).remove();
  show({ title: 'Interest expressed' });
  expect(await standsAt()).toBe(60);
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
