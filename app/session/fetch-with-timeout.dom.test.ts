import { afterEach, expect, test, vi } from 'vitest';
import { fetchWithTimeout } from './fetch-with-timeout.ts';
import { holdTimers } from '../testing/hold-timers.ts';

afterEach(() => void vi.restoreAllMocks());

/** A connection that accepts everything and answers nothing. */
const silent = ((_input: unknown, init?: RequestInit) =>
  new Promise((_resolve, reject) =>
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error)),
  )) as typeof fetch;

test('a request without an answer is given up after 20 s, with words for the person', async () => {
  const timers = holdTimers(20_000);
  const asked = fetchWithTimeout(silent)('/api/config');
  timers.fire();
  await expect(asked).rejects.toThrow('The server could not be reached.');
});

test('no network gives the same error; a caller that aborted gets its own abort', async () => {
  const none = (() => Promise.reject(new TypeError('Failed to fetch'))) as typeof fetch;
  await expect(fetchWithTimeout(none)('/api/config')).rejects.toThrow('The server could not be reached.');
  const leaving = new AbortController();
  const asked = fetchWithTimeout(silent)('/api/config', { signal: leaving.signal });
  leaving.abort(new Error('left'));
  await expect(asked).rejects.toThrow('left');
  const looking = (async (_input: unknown, init?: RequestInit) =>
    init?.signal?.throwIfAborted()) as unknown as typeof fetch;
  await expect(fetchWithTimeout(looking)('/api/config', { signal: leaving.signal })).rejects.toThrow('left');
});

test('an answer is handed on', async () => {
  expect(await (await fetchWithTimeout(async () => new Response('yes'))('/api/config')).text()).toBe('yes');
});
