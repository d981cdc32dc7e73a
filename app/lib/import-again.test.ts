import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { importAgain } from './import-again.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('location', { href: 'https://dwang.example.nz/legal' });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** What that comes to in WebKit is seen in `e2e/webkit-leaving.spec.ts`. */
const inWebkit = 'Importing a module script failed.';
const elsewhere = 'Failed to fetch dynamically imported module: https://dwang.example.nz/assets/legal.js';
const failing = (times: number, words = inWebkit) => {
  let asked = 0;
  return async () => {
    asked += 1;
    if (asked <= times) throw new TypeError(words);
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

test('after a moment without signal, or where the code is gone, a person waits no longer than until the server is reached', async () => {
  const ask = vi.fn().mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue(new Response());
  vi.stubGlobal('fetch', ask);
  const coming = importAgain(failing(1, elsewhere))();
  const gone = importAgain(failing(2, elsewhere))().catch(String);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await coming).toBe(2);
  expect(await gone).toBe(`TypeError: ${elsewhere}`);
  expect(ask).toHaveBeenCalledWith('https://dwang.example.nz/legal', { method: 'HEAD', cache: 'no-store' });
});

test('a server that does not answer is waited for no longer than a page may take', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const coming = importAgain(failing(1, elsewhere))();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await coming).toBe(2);
});

test('a page whose style did not come is loaded anew, not shown bare', async () => {
  const load = failing(1, 'Unable to preload CSS for /assets/legal.css');
  const missing = importAgain(load)().then(String, String);
  await vi.advanceTimersByTimeAsync(10_000);
  // The router knows by this beginning what it loads the page anew for, once.
  expect(await missing).toMatch(/^Error: Importing a module script failed/);
});

test('without signal, and before the worker has the app, a page that is not here is waited for, and the app stays', async () => {
  const online: (() => void)[] = [];
  vi.stubGlobal('navigator', { onLine: false, serviceWorker: { controller: null } });
  vi.stubGlobal('addEventListener', (_: string, hear: () => void) => online.push(hear));
  vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('Failed to fetch')));
  const settled = vi.fn();
  const coming = importAgain(failing(1, elsewhere))().finally(settled);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(settled).not.toHaveBeenCalled();
  online.forEach((hear) => hear());
  expect(await coming).toBe(2);
});
