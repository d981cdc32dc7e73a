import { minute } from '../../shared/lib/durations.ts';

export const minWaitMs = 1_000;
export const maxWaitMs = minute;

/**
 * How long to wait after the `failures`-th failure in a row: full jitter under a doubling ceiling of 1 s to 60 s (C8).
 * `draw`: [0, 1). Never less than a tenth of the ceiling, so that a lucky draw is no busy loop.
 */
export function backoffMs(failures: number, draw: number): number {
  const ceiling = Math.min(maxWaitMs, minWaitMs * 2 ** Math.min(failures - 1, 10));
  return Math.round(Math.max(ceiling / 10, ceiling * draw));
}
