import { expect, test } from 'vitest';
import { cacheAnswer } from './cache-answer.ts';

test('an answer is cached for the given time and then asked for anew; a failure is not cached', async () => {
  let now = 1_000;
  let asked = 0;
  const ask = cacheAnswer({ now: () => now }, 100, async () => {
    asked += 1;
    if (asked === 1) throw new Error('said by the test');
    return asked;
  });
  await expect(ask()).rejects.toThrow('said by the test');
  expect(await Promise.all([ask(), ask()])).toEqual([2, 2]);
  now += 99;
  expect(await ask()).toBe(2);
  now += 1;
  expect(await ask()).toBe(3);
  // The clock was set back.
  now -= 5_000;
  expect(await ask()).toBe(4);
});
