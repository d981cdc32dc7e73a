import type { LocksPort } from '../sync/ports.ts';

interface Waiting {
  hold: () => Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * The Web Locks API as far as one exclusive lock goes: a queue, abort while waiting, and steal. One for all tabs of a
 * browser.
 * `onSteal`: gets the call that tells the holder that its lock was stolen; a holder that sleeps hears of it when it
 * wakes.
 */
export function fakeLocks(onSteal: (tell: () => void) => void = (tell) => tell()): LocksPort {
  const holders = new Map<string, Waiting>();
  const queues = new Map<string, Waiting[]>();
  const queueOf = (name: string) => {
    const queue = queues.get(name) ?? [];
    queues.set(name, queue);
    return queue;
  };

  function grant(name: string, to: Waiting): void {
    holders.set(name, to);
    const free = () => {
      // A holder whose lock was stolen has none to pass on.
      if (holders.get(name) !== to) return;
      holders.delete(name);
      const first = queueOf(name).shift();
      if (first !== undefined) grant(name, first);
    };
    void Promise.resolve()
      .then(to.hold)
      .then(
        () => (free(), to.resolve()),
        (error: unknown) => (free(), to.reject(error)),
      );
  }

  return {
    query: async () => ({ pending: [...queues].flatMap(([name, queue]) => queue.map(() => ({ name }))) }),
    request: (name, { signal, steal }, hold) =>
      new Promise<void>((resolve, reject) => {
        const waiting: Waiting = { hold, resolve, reject };
        const aborted = () => new DOMException('The request was aborted.', 'AbortError');
        if (signal?.aborted) return reject(aborted());
        signal?.addEventListener('abort', () => {
          const queue = queueOf(name);
          const at = queue.indexOf(waiting);
          if (at < 0) return;
          queue.splice(at, 1);
          reject(aborted());
        });
        const holder = holders.get(name);
        if (steal && holder !== undefined)
          onSteal(() => holder.reject(new DOMException('The lock was stolen.', 'AbortError')));
        if (steal || holder === undefined) grant(name, waiting);
        else queueOf(name).push(waiting);
      }),
  };
}
