import { expect, test } from 'vitest';
import { isStorable, isVisible } from './storable-text.ts';

test.each(['', 'Whangārei', 'two\nlines\tand a tab\r\n', '👷🏽‍♀️ tradie', 'ʻokina', '\u{10FFFF}', 'right to left \u200f'])(
  '%j can be kept',
  (text) => {
    expect(isStorable(text)).toBe(true);
  },
);

test.each(['a\0b', '\ud83d', 'half \udc77 a tradie', 'bell \u0007', '\u001b[31m', '\u007f', '\u0085'])(
  '%j can not',
  (text) => {
    expect(isStorable(text)).toBe(false);
  },
);

test.each(['', 'Whangārei', '👷🏽‍♀️', 'right to left \u200f', '.', '漢', 'e\u0301', '𝄞', '\uf8ff Fence', '⠁', '1️⃣'])(
  '%j is there to be seen',
  (text) => {
    expect(isVisible(text)).toBe(true);
  },
);

test.each([
  '\u200b',
  '\u200b\u200d\ufeff',
  '\u202e\u2066\u2069',
  '\u00ad',
  '\u3164',
  '\u2800',
  ' \u200e ',
  '\u{e0041}',
  '\u2028',
  '\u{1d159}',
  '\u{1d159} \u200b',
  '\u{16fe4}',
  '\u{13441}\u{13442}',
  '\ufffc',
  '\ue000',
  '\uf8ff',
  '\u{f0000}',
  '\u{10fffd}',
  '\ufffe',
  '\u115f',
  '\u034f',
  '\ufe0f',
  '\u1680',
])('%j shows nothing', (text) => {
  expect(isVisible(text)).toBe(false);
});
