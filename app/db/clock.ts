export type CancelTimer = () => void;

/** The source of time, so that a test or the simulator can control it. */
export interface Clock {
  /** Unix milliseconds by this device. May be a year out; no decision that matters depends on it. */
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
