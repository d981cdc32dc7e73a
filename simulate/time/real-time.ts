const { setImmediate, setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
const { now } = Date;
const running = performance.now;

/** The machine's own scheduling, kept before it is replaced. */
export const realTime = {
  /**
   * Runs `act` once every promise that can settle has settled: Node takes its next tick when no microtask is left. Not
   * a turn of the event loop, which would poll the operating system each time.
   */
  soon: (act: () => void): void => queueMicrotask(() => process.nextTick(act)),
  restore: (): void => {
    Object.assign(globalThis, { setImmediate, setTimeout, setInterval, clearTimeout, clearInterval });
    Date.now = now;
    performance.now = running;
  },
};
