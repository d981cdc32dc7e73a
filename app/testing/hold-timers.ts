import { vi } from 'vitest';

/**
 * Timers of exactly so many milliseconds fire when the test says so; all others as ever. Restored by
 * `vi.restoreAllMocks()`.
 */
export function holdTimers(ms: number): { count(): number; fire(): void } {
  const held = new Map<unknown, () => void>();
  const { setTimeout, clearTimeout } = globalThis;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, after?: number, ...rest: unknown[]) => {
    if (after !== ms) return setTimeout(work, after, ...rest);
    const handle = {};
    held.set(handle, work);
    return handle;
  }) as typeof setTimeout);
  vi.spyOn(globalThis, 'clearTimeout').mockImplementation(((handle: Parameters<typeof clearTimeout>[0]) => {
    if (!held.delete(handle)) clearTimeout(handle);
  }) as typeof clearTimeout);
  return {
    count: () => held.size,
    fire: () => {
      const waiting = [...held.values()];
      held.clear();
      for (const work of waiting) work();
    },
  };
}
