import type { TryLock } from '../db/draft-slots.ts';

/** Web Locks as far as asking without waiting goes. One for all tabs of a browser. */
export function fakeTryLock(): TryLock {
  const held = new Set<string>();
  return {
    request: async (name, _, hold) => {
      if (held.has(name)) return hold(null);
      held.add(name);
      try {
        await hold({ name });
      } finally {
        held.delete(name);
      }
    },
  };
}
