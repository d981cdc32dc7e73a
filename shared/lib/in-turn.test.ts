import { expect, test } from 'vitest';
import { inTurn } from './in-turn.ts';

test('gives the answers in the order of the questions', async () => {
  const slow = new Promise<string>((resolve) => setTimeout(resolve, 5, 'slow'));
  expect(await inTurn(slow, Promise.resolve(2))).toEqual(['slow', 2]);
  expect(await inTurn()).toEqual([]);
});

test('fails with what failed first by that order, though another was heard of before', async () => {
  const later = new Promise((_, reject) => setTimeout(reject, 5, new Error('the cause')));
  await expect(inTurn(Promise.resolve(1), later, Promise.reject(new Error('what followed')))).rejects.toThrow(
    'the cause',
  );
});
