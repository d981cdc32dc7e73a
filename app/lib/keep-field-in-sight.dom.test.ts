import { beforeEach, afterEach, expect, test, vi } from 'vitest';
import { keepFieldInSight } from './keep-field-in-sight.ts';

/*
 * A double of what is seen of the page, and of where a field lies on it: happy-dom lays nothing out
 * (e2e/phone-shape.spec.ts has both).
 */

const portrait = { width: 390, height: 844, scale: 1, offsetTop: 0 };
const byKeyboard = { height: 464 };

let viewport: VisualViewport;
let field: HTMLInputElement;
let moved: number[];
let frames: (() => void)[];

/** What is seen of the page changes, and the next frame is drawn. */
function see(changes: Partial<typeof portrait>): void {
  Object.assign(viewport, changes);
  viewport.dispatchEvent(new Event('resize'));
  drawFrame();
}

function drawFrame(): void {
  for (const draw of frames.splice(0)) draw();
}

beforeEach(() => {
  moved = [];
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => frames.push(draw));
  vi.spyOn(window, 'scrollBy').mockImplementation(((_x: number, y: number) => void moved.push(y)) as never);
  vi.spyOn(document, 'addEventListener');
  // Messages are no part of these tests, and an observer of the document would outlive them.
  vi.stubGlobal(
    'MutationObserver',
    class {
      observe() {}
    },
  );
  document.body.innerHTML = '<main><input></main>';
  field = document.querySelector('input') as HTMLInputElement;
  field.getBoundingClientRect = () => new DOMRect(16, 720, 358, 48);
  viewport = Object.assign(new EventTarget(), portrait) as unknown as VisualViewport;
  keepFieldInSight(viewport);
  field.focus();
  drawFrame();
});
afterEach(() => {
  for (const [type, listener] of vi.mocked(document.addEventListener).mock.calls)
    document.removeEventListener(type, listener as EventListener);
  document.body.replaceChildren();
});

/** Another field is taken in hand, and this one again. */
function focusAgain(): void {
  field.blur();
  field.focus();
  drawFrame();
}

test('a keyboard comes: the field goes above it, and again as it is taken in hand, until the keyboard goes', () => {
  see(byKeyboard);
  expect(moved).toEqual([768 - 464]);
  focusAgain();
  expect(moved).toEqual([304, 304]);
  see(portrait);
  focusAgain();
  expect(moved).toEqual([304, 304]);
});

test('where the phone has moved what is seen down the page, the field goes above the keyboard there', () => {
  see({ ...byKeyboard, offsetTop: 120 });
  expect(moved).toEqual([768 - (120 + 464)]);
  viewport = Object.assign(viewport, { offsetTop: 320 });
  focusAgain();
  expect(moved).toEqual([184]);
});

test('where the phone has moved what is seen below the field, it comes back into sight, its end first where there is no room for all', () => {
  field.getBoundingClientRect = () => new DOMRect(16, 80, 358, 48);
  see({ ...byKeyboard, offsetTop: 120 });
  expect(moved).toEqual([80 - 120]);
  field.getBoundingClientRect = () => new DOMRect(16, 80, 358, 500);
  focusAgain();
  expect(moved).toEqual([-40, 580 - (120 + 464)]);
});

test('a description of the field that is not drawn moves nothing, wherever what is seen begins', () => {
  const hidden = document.body.appendChild(document.createElement('p'));
  hidden.id = 'hidden';
  hidden.getBoundingClientRect = () => new DOMRect();
  field.setAttribute('aria-describedby', hidden.id);
  field.getBoundingClientRect = () => new DOMRect(16, 300, 358, 48);
  see({ ...byKeyboard, offsetTop: 120 });
  expect(moved).toEqual([]);
});

test('a phone that is turned on its side has no keyboard for that, and nothing scrolls', () => {
  see({ width: 844, height: 390 });
  focusAgain();
  expect(moved).toEqual([]);
  see({ height: 200 });
  expect(moved).toEqual([768 - 200]);
});

test('two fingers that enlarge the page bring no keyboard, and nothing scrolls, also once it is as before', () => {
  see({ width: 195, height: 422, scale: 2 });
  focusAgain();
  see(portrait);
  focusAgain();
  expect(moved).toEqual([]);
});

test('a keyboard that came while the page was enlarged is known once it is as before', () => {
  see({ width: 195, height: 232, scale: 2 });
  see({ ...portrait, ...byKeyboard });
  expect(moved).toEqual([304]);
});

test('with a dialog open its field is scrolled to inside it, once it is as high as what is seen, and never the page behind it', () => {
  const dialog = document.createElement('div');
  dialog.setAttribute('role', 'dialog');
  document.body.append(dialog);
  dialog.append(field);
  field.focus();
  drawFrame();
  const scrolled = vi.spyOn(field, 'scrollIntoView');
  Object.assign(viewport, byKeyboard);
  viewport.dispatchEvent(new Event('resize'));
  expect(scrolled).not.toHaveBeenCalled();
  drawFrame();
  expect(scrolled).toHaveBeenCalled();
  expect(moved).toEqual([]);
});
