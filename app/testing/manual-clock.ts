import type { Clock } from '../db/clock.ts';

export interface ManualClock extends Clock {
  /** Fires, in order, what falls due within `ms`. */
  advance(ms: number): void;
  /** Sets the device's clock without time passing: a phone that is a year out. */
  jump(ms: number): void;
  /** Milliseconds until the next timer; undefined where there is none. */
  next(): number | undefined;
}

/** Time that passes only when the test says so. */
export function manualClock(start = Date.UTC(2026, 4, 1)): ManualClock {
  let elapsed = 0;
  let offset = start;
  let made = 0;
  let timers: { at: number; order: number; fire: () => void }[] = [];
  const soonest = () => timers.toSorted((one, other) => one.at - other.at || one.order - other.order)[0];
  return {
    now: () => offset + elapsed,
    setTimer: (ms, fire) => {
      made += 1;
      const timer = { at: elapsed + ms, order: made, fire };
      timers.push(timer);
      return () => void (timers = timers.filter((other) => other !== timer));
    },
    advance: (ms) => {
      const until = elapsed + ms;
      for (let due = soonest(); due !== undefined && due.at <= until; due = soonest()) {
        const fired = due;
        timers = timers.filter((timer) => timer !== fired);
        elapsed = fired.at;
        fired.fire();
      }
      elapsed = until;
    },
    jump: (ms) => void (offset += ms),
    next: () => {
      const due = soonest();
      return due === undefined ? undefined : due.at - elapsed;
    },
  };
}
