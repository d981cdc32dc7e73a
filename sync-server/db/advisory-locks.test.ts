import { expect, it } from 'vitest';
import { advisoryLocks } from './advisory-locks.ts';

it('keeps a payment from waiting for retention, and anything else for another: no two locks share a number', () => {
  const numbers = Object.values(advisoryLocks);
  expect(new Set(numbers).size).toBe(numbers.length);
});
