import { expect, test } from 'vitest';
import { isKeepable } from './keepable.ts';

test.each(['', 'Whangārei', 'two\nlines\tand a tab\r\n', '👷🏽‍♀️ tradie', 'ʻokina', '\u{10FFFF}', 'right to left \u200f'])('%j can be kept', (text) => {
  expect(isKeepable(text)).toBe(true);
});

test.each(['a\0b', '\ud83d', 'half \udc77 a tradie', 'bell \u0007', '\u001b[31m', '\u007f', '\u0085'])('%j can not', (text) => {
  expect(isKeepable(text)).toBe(false);
});
