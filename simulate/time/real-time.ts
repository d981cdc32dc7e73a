const { setImmediate, setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;

/** The machine's own scheduling, kept before anything is put in its place. */
export const realTime = {
  soon: (act: () => void): void => void setImmediate(act),
  restore: (): void => void Object.assign(globalThis, { setImmediate, setTimeout, setInterval, clearTimeout, clearInterval }),
};
