import type { Loop } from './loop.ts';
import { realTime } from './real-time.ts';

/** What `setTimeout` hands out: may be cancelled, and asked not to keep the process alive. */
interface Handle {
  cancel(): void;
  unref(): Handle;
}

/** Tasks of a disk that follow from one another. */
interface Chain {
  until: number;
}

/**
 * Replaces the platform's timers by virtual time, for code that has no port for them: fake-indexeddb's tasks, Dexie's,
 * the server's own polling; and the platform's clocks by the virtual one, for the library that signs people in, and for
 * live queries that rest.
 * `diskMs`: how long the next task of a disk takes. Returns the call that ends it.
 */
export function takeOverTimers(loop: Loop, epochMs: number, diskMs: () => number): () => void {
  Date.now = () => epochMs + loop.now();
  performance.now = () => loop.now();
  const handle = (cancel: () => void): Handle => {
    const self: Handle = { cancel, unref: () => self };
    return self;
  };
  const later = (act: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
    handle(loop.after(ms, () => act(...given)));
  const again = (act: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
    let cancel = () => {};
    const turn = () => {
      cancel = loop.after(Math.max(1, ms), () => {
        act(...given);
        turn();
      });
    };
    turn();
    return handle(() => cancel());
  };
  const forget = (given: Handle | undefined) => given?.cancel();
  Object.assign(globalThis, {
    setTimeout: later,
    setInterval: again,
    clearTimeout: forget,
    clearInterval: forget,
    setImmediate: (act: (...given: unknown[]) => void, ...given: unknown[]) => {
      // What follows from one another stays in its order; how two such chains interleave differs with the seed.
      const chain = (loop.mark as Chain | undefined) ?? { until: 0 };
      chain.until = Math.max(chain.until, loop.now()) + diskMs();
      return later(() => {
        loop.mark = chain;
        act(...given);
      }, chain.until - loop.now());
    },
  });
  return realTime.restore;
}
