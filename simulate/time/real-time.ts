const { setImmediate, setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
const { now } = Date;

/** The machine's own scheduling, kept before anything is put in its place. */
export const realTime = {
  /**
   * Runs `act` once every promise that can settle has settled: Node takes its next tick when no microtask is left. Not a turn of the
   * event loop, which would ask the operating system for news each time.
   */
  soon: (act: () => void): void => queueMicrotask(() => process.nextTick(act)),
  restore: (): void => {
    Object.assign(globalThis, { setImmediate, setTimeout, setInterval, clearTimeout, clearInterval });
    Date.now = now;
  },
};
