import type { Clock } from '../db/clock.ts';

/**
 * A request that is silent for this long gets no answer. On 50 kbit/s, four at a time, a byte of each comes within
 * seconds.
 */
export const silenceMs = 30_000;

/**
 * Runs one request and gives up on it when `heard` was not called for `silenceMs`: no request waits for ever, and a
 * slow connection has all the time it needs. Settles then, and when `signal` says so, whatever the request itself does.
 */
export function withIdleTimeout<T>(
  clock: Pick<Clock, 'setTimer'>,
  signal: AbortSignal,
  ask: (signal: AbortSignal, heard: () => void) => Promise<T>,
): Promise<T> {
  const asking = new AbortController();
  let cancel = () => {};
  return new Promise<T>((resolve, reject) => {
    const giveUp = (why: string) => {
      asking.abort();
      reject(new Error(why));
    };
    const stop = () => giveUp('stopped');
    const heard = () => {
      cancel();
      if (!asking.signal.aborted) cancel = clock.setTimer(silenceMs, () => giveUp('nothing came'));
    };
    asking.signal.addEventListener('abort', () => signal.removeEventListener('abort', stop));
    signal.addEventListener('abort', stop);
    heard();
    if (signal.aborted) stop();
    else ask(asking.signal, heard).then(resolve, reject);
  }).finally(() => {
    cancel();
    asking.abort();
  });
}
