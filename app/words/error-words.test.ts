import { expect, test } from 'vitest';
import { errorWords } from './error-words.ts';

test.each([
  [new Error('Invalid login credentials'), 'Invalid login credentials'],
  [new Error(''), 'Authentication failed'],
  [new Error('{}'), 'Authentication failed'],
  ['no error', 'Authentication failed'],
])('of %s a person reads “%s”', (error, said) => {
  expect(errorWords(error, 'Authentication failed')).toBe(said);
});
