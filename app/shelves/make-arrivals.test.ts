import { expect, test } from 'vitest';
import { makeArrivals } from './make-arrivals.ts';

test('a text that has just come is given once, and only the last few are held', () => {
  const arrivals = makeArrivals();
  for (let at = 0; at < 10; at += 1) arrivals.put(`hash-${at}`, `text ${at}`);
  expect(arrivals.take('hash-1')).toBeUndefined();
  expect(arrivals.take('hash-2')).toBe('text 2');
  expect(arrivals.take('hash-2')).toBeUndefined();
  expect(arrivals.take('hash-9')).toBe('text 9');
});
