import { expect, test } from 'vitest';
import { fold } from './fold.ts';

test('macrons, case and typographic apostrophes do not matter [§offline]', () => {
  expect(fold('Whangārei')).toBe('whangarei');
  expect(fold('Ōtāne')).toBe(fold('otane'));
  expect(fold('Hawke’s Bay')).toBe(fold("hawke's bay"));
});
