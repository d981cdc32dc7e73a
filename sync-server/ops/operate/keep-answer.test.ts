import { expect, it } from 'vitest';
import { keepAnswer } from './keep-answer.ts';

it('asks once for all that want to know meanwhile, and again when the answer is too old', async () => {
  let time = 0;
  let asked = 0;
  const read = keepAnswer(30_000, async () => (asked += 1), { now: () => time });
  expect(await Promise.all([read(), read()])).toEqual([1, 1]);
  time = 29_999;
  expect(await read()).toBe(1);
  time = 30_000;
  expect(await read()).toBe(2);
});
