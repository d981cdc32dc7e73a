import type { LocksPort } from '../../app/sync/ports.ts';
import type { SimProcess, Loop } from '../time/loop.ts';

interface Request {
  proc: SimProcess;
  hold: () => Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

/** The Web Locks of one browser: a queue for each name, stealing, and the release of a dead tab's locks to the next. */
export interface Locks {
  faceFor(proc: SimProcess): LocksPort;
  /** A page that is not simulated steals the lock, and releases it at once. */
  stealFromAll(): number;
  forget(proc: SimProcess): void;
  /** When this tab last got the lock, as a number that grows with every change of holders; 0 where it never did. */
  turnOf(proc: SimProcess, name: string): number;
}

export function createLocks(loop: Loop): Locks {
  const holders = new Map<string, Request>();
  const queues = new Map<string, Request[]>();
  const turns = new Map<SimProcess, Map<string, number>>();
  let changes = 0;
  const queueOf = (name: string) => {
    const queue = queues.get(name) ?? [];
    queues.set(name, queue);
    return queue;
  };
  const abortError = (why: string) => new DOMException(why, 'AbortError');

  function grant(name: string, to: Request): void {
    holders.set(name, to);
    changes += 1;
    turns.set(to.proc, new Map(turns.get(to.proc)).set(name, changes));
    const free = () => {
      if (holders.get(name) === to) passOn(name);
    };
    loop.after(
      0,
      () => {
        to.hold().then(
          () => (free(), to.resolve()),
          (error: unknown) => (free(), to.reject(error)),
        );
      },
      to.proc,
    );
  }

  function passOn(name: string): void {
    holders.delete(name);
    const first = queueOf(name).shift();
    if (first !== undefined) grant(name, first);
  }

  /** The holder is notified when it can run; the lock is gone from now on. */
  function stealLock(name: string): void {
    const robbed = holders.get(name);
    if (robbed === undefined) return;
    holders.delete(name);
    loop.after(0, () => robbed.reject(abortError('The lock was stolen.')), robbed.proc);
  }

  function request(
    proc: SimProcess,
    name: string,
    { signal, steal }: { signal?: AbortSignal; steal?: boolean },
    hold: () => Promise<void>,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const asked: Request = { proc, hold, resolve, reject };
      if (signal?.aborted === true) return reject(abortError('The request was aborted.'));
      signal?.addEventListener('abort', () => {
        const queue = queueOf(name);
        const at = queue.indexOf(asked);
        if (at < 0) return;
        queue.splice(at, 1);
        loop.after(0, () => reject(abortError('The request was aborted.')), proc);
      });
      if (steal === true) stealLock(name);
      if (holders.has(name)) queueOf(name).push(asked);
      else grant(name, asked);
    });
  }

  return {
    faceFor: (proc) => ({
      query: async () => ({ pending: [...queues].flatMap(([name, queue]) => queue.map(() => ({ name }))) }),
      request: (name, options, hold) => request(proc, name, options, hold),
    }),
    stealFromAll: () => {
      const names = [...holders.keys()];
      for (const name of names) {
        stealLock(name);
        passOn(name);
      }
      return names.length;
    },
    turnOf: (proc, name) => turns.get(proc)?.get(name) ?? 0,
    forget: (proc) => {
      for (const [name, queue] of queues)
        queues.set(
          name,
          queue.filter((asked) => asked.proc !== proc),
        );
      for (const [name, holder] of holders) if (holder.proc === proc) passOn(name);
    },
  };
}
