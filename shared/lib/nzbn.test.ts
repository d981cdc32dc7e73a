import { describe, expect, test } from 'vitest';
import { hasNzbnCheckDigit, isSameBusinessName, shapeNzbn } from './nzbn.ts';

describe('hasNzbnCheckDigit', () => {
  test.each(['9429040402543', '9429036748471', '9429034042984'])('passes %s [§settled]', (nzbn) => {
    expect(hasNzbnCheckDigit(nzbn)).toBe(true);
  });
  test.each(['9429040402544', '9412312341235', '942904040254', '1234567890128', ''])('fails %s', (nzbn) => {
    expect(hasNzbnCheckDigit(nzbn)).toBe(false);
  });
});

describe('shapeNzbn', () => {
  test.each([
    ['9', '9'],
    ['94', '94'],
    ['12', '9412'],
    ['94 2904-0402543', '9429040402543'],
    ['94290404025439999', '9429040402543'],
    ['abc', ''],
  ])('%s becomes %s [§5, §9]', (typed, kept) => {
    expect(shapeNzbn(typed)).toBe(kept);
  });
});

test.each([
  ['Southern Spouting', 'SOUTHERN SPOUTING LIMITED'],
  ['Kākā Point Plumbing Ltd.', 'KAKA POINT PLUMBING LIMITED'],
  ['Smith & Sons', 'SMITH AND SONS LTD'],
  ['O’Brien’s', "O'BRIENS"],
])('%s is what the register calls %s', (one, other) => {
  expect(isSameBusinessName(one, other)).toBe(true);
});

test.each([
  ['Southern Spouting', 'NORTHERN SPOUTING LIMITED'],
  ['Limited', ''],
])('%s is not what the register calls %s', (one, other) => {
  expect(isSameBusinessName(one, other)).toBe(false);
});
