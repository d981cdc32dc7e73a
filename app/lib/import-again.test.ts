import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { importAgain } from './import-again.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What that comes to in WebKit is seen in `e2e/webkit-leaving.spec.ts`. */
const failing = (times: number) => {
  let asked = 0;
  return async () => {
    asked += 1;
    if (asked <= times) throw new TypeError('Importing a module script failed.');
    return asked;
  };
};

test('code of a page that does not come is asked for once more, and comes', async () => {
  expect(await importAgain(failing(0))()).toBe(1);
  const coming = importAgain(failing(1))();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await coming).toBe(2);
});

test('code that does not come the second time either is not there', async () => {
  const missing = importAgain(failing(2))().catch(String);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await missing).toBe('TypeError: Importing a module script failed.');
});
