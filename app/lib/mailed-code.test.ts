import { expect, test } from 'vitest';
import { mailedCode } from './mailed-code.ts';

test.each([
  [' 123 456 ', '123456'],
  ['123-456', '123456'],
  ['12 34', undefined],
  ['1234567', undefined],
  ['', undefined],
])('of %j typed the code of a mail is %j', (typed, code) => {
  expect(mailedCode(typed)).toBe(code);
});
