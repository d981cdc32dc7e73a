import { afterEach, expect, test, vi } from 'vitest';
import { holdTimers } from '../testing/hold-timers.ts';
import { importWithTimeout } from './import-with-timeout.ts';

afterEach(() => void vi.restoreAllMocks());

test('code that never comes is given up on after 20 s, in the words of a request', async () => {
  const timers = holdTimers(20_000);
  const asked = importWithTimeout(new Promise<never>(() => undefined));
  timers.fire();
  await expect(asked).rejects.toThrow('The server could not be reached.');
});

test('code that cannot come has the same words; code that comes is handed on', async () => {
  await expect(
    importWithTimeout(Promise.reject(new TypeError('Failed to fetch dynamically imported module: /assets/a.js'))),
  ).rejects.toThrow(/^The server could not be reached\.$/);
  expect(await importWithTimeout(Promise.resolve({ here: true }))).toEqual({ here: true });
});
