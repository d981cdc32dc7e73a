import type { Locks } from '../db/open-mark.ts';

/**
 * Web Locks as far as marks of open databases go: shared and exclusive holders in order of asking, and abort while
 * waiting.
 */
export function fakeSharedLocks(): Locks {
  const held = new Map<string, { shared: number; isExclusive: boolean; waiting: (() => boolean)[] }>();
  const lockOf = (name: string) => {
    const lock = held.get(name) ?? { shared: 0, isExclusive: false, waiting: [] };
    held.set(name, lock);
    return lock;
  };

  async function request(
    name: string,
    { mode = 'exclusive', signal }: LockOptions,
    work: () => unknown,
  ): Promise<unknown> {
    const lock = lockOf(name);
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        if (lock.isExclusive || (mode === 'exclusive' && lock.shared > 0)) return false;
        if (mode === 'shared') lock.shared += 1;
        else lock.isExclusive = true;
        resolve();
        return true;
      };
      signal?.addEventListener('abort', () => {
        lock.waiting = lock.waiting.filter((other) => other !== enter);
        reject(new DOMException('The request was aborted.', 'AbortError'));
      });
      if (lock.waiting.length > 0 || !enter()) lock.waiting.push(enter);
    });
    try {
      return await work();
    } finally {
      if (mode === 'shared') lock.shared -= 1;
      else lock.isExclusive = false;
      while (lock.waiting[0]?.() === true) lock.waiting.shift();
    }
  }
  return { request: request as Locks['request'] };
}
