import { expect, test } from 'vitest';
import { lazily } from './lazily.ts';

test('it is made when it is first asked for, and once', () => {
  let made = 0;
  const get = lazily(() => {
    made += 1;
    return undefined;
  });
  expect(made).toBe(0);
  get();
  get();
  expect(made).toBe(1);
});
