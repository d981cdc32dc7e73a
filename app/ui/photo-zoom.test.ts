import { expect, test } from 'vitest';
import { moveBy, swipeOf, wholePhoto, zoomAt } from './photo-zoom.ts';

const size = { width: 400, height: 800 };

test('what is between the fingers stays between them while they part', () => {
  const at = { x: 100, y: -50 };
  const zoom = zoomAt(wholePhoto, 2, at, size);
  // The same part of the photo, before and after, in px from its middle.
  expect([(at.x - zoom.x) / zoom.scale, (at.y - zoom.y) / zoom.scale]).toEqual([at.x, at.y]);
});

test('a photo is never smaller than whole, nor five times larger', () => {
  expect(zoomAt(wholePhoto, 0.2, { x: 30, y: 30 }, size)).toEqual(wholePhoto);
  expect(zoomAt(wholePhoto, 50, { x: 0, y: 0 }, size).scale).toBe(5);
});

test('an enlarged photo is moved up to its edge, a whole one not at all', () => {
  expect(moveBy(wholePhoto, { x: 90, y: 90 }, size)).toEqual(wholePhoto);
  expect(moveBy({ scale: 2, x: 0, y: 0 }, { x: 900, y: -900 }, size)).toEqual({ scale: 2, x: 200, y: -400 });
});

test.each([
  [{ x: -80, y: 30 }, 'next'],
  [{ x: 80, y: -30 }, 'previous'],
  [{ x: 20, y: 90 }, 'away'],
  [{ x: 20, y: -90 }, 'nothing'],
  [{ x: 40, y: 10 }, 'nothing'],
] as const)('a finger that went by %o means: %s', (by, meaning) => {
  expect(swipeOf(by)).toBe(meaning);
});
