import { expect, test } from 'vitest';
import { count } from './common-words.ts';

test('a number stands as New Zealand writes it, with one thing or many', () => {
  expect([count(0, 'tradie'), count(1, 'tradie'), count(5_001, 'tradie'), count(2, 'reply', 'replies')]).toEqual([
    '0 tradies',
    '1 tradie',
    '5,001 tradies',
    '2 replies',
  ]);
});
