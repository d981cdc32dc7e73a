export type CancelTimer = () => void;

/** Time comes in through this, so that a test or the simulator can hold it in its hand. */
export interface Clock {
  /** Unix milliseconds by this device. May be a year out; nothing that matters is decided by it. */
  now(): number;
  setTimer(ms: number, fire: () => void): CancelTimer;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer: (ms, fire) => {
    const timer = setTimeout(fire, ms);
    return () => clearTimeout(timer);
  },
};
