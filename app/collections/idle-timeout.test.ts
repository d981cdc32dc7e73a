import { expect, test } from 'vitest';
import { createDeferred } from '../testing/deferred.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { silenceMs, withIdleTimeout } from './idle-timeout.ts';

/* [C13] A time limit that counts from the last byte received, not from the request. */

/** One request in flight, which the test controls. */
function askOne(stopping = new AbortController()) {
  const clock = manualClock();
  const answer = createDeferred<string>();
  const seen: { signal?: AbortSignal; heard?: () => void } = {};
  const asking = withIdleTimeout(clock, stopping.signal, (signal, heard) => {
    Object.assign(seen, { signal, heard });
    return answer.promise;
  });
  return { clock, answer, asking, seen, stopping };
}

test('[C13] a request of which nothing comes for 30 s is given up, and its connection aborted', async () => {
  const { clock, asking, seen } = askOne();
  const end = asking.then(() => 'answered', String);
  clock.advance(silenceMs - 1);
  expect(seen.signal?.aborted).toBe(false);
  clock.advance(1);
  expect(seen.signal?.aborted).toBe(true);
  expect(await end).toContain('nothing came');
});

test('[C13] each piece that comes gives a request 30 s more', async () => {
  const { clock, answer, asking, seen } = askOne();
  for (let piece = 0; piece < 5; piece += 1) {
    clock.advance(silenceMs - 1);
    seen.heard?.();
  }
  expect(clock.next()).toBe(silenceMs);
  answer.resolve('all of it');
  expect(await asking).toBe('all of it');
});

test('an answer ends the limit: no timer is left, and nothing that comes late sets one', async () => {
  const { clock, answer, asking, seen, stopping } = askOne();
  answer.resolve('here');
  await asking;
  expect([clock.next(), seen.signal?.aborted]).toEqual([undefined, true]);
  seen.heard?.();
  stopping.abort();
  expect(clock.next()).toBeUndefined();
});

test('a request that fails keeps its own reason, and leaves no timer', async () => {
  const clock = manualClock();
  const asking = withIdleTimeout(clock, new AbortController().signal, () => Promise.reject(new Error('status 500')));
  await expect(asking).rejects.toThrow('status 500');
  expect(clock.next()).toBeUndefined();
});

test('stopped from outside, a request ends at once, whatever the transport does, and its connection is aborted', async () => {
  const { clock, asking, seen, stopping } = askOne();
  stopping.abort();
  await expect(asking).rejects.toThrow('stopped');
  expect([clock.next(), seen.signal?.aborted]).toEqual([undefined, true]);
});

test('stopped before it began, it makes no request', async () => {
  const stopping = new AbortController();
  stopping.abort();
  const { clock, asking, seen } = askOne(stopping);
  await expect(asking).rejects.toThrow('stopped');
  expect([seen.signal, clock.next()]).toEqual([undefined, undefined]);
});
