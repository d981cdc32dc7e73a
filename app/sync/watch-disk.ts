import type { Clock } from '../db/clock.ts';

/*
 * A browser may leave a request of its storage without an answer for ever, and without an error. Everything that waits
 * for it, or behind it, then waits as long: only a reload of the page helps.
 */

const pollMs = 5_000;
/**
 * Checks in a row that find the same transaction under way: 10 to 15 s. Counted, not measured: a tab that slept itself
 * must check again.
 */
const looksToTell = 3;

/** Reports when a transaction does not end, and when all have. Returns the function that stops it. */
export function watchDisk(clock: Clock, underWay: ReadonlySet<object>, tell: (isSilent: boolean) => void): () => void {
  let seen = new Map<object, number>();
  let isSilent = false;
  let cancel = () => {};
  const look = () => {
    cancel = clock.setTimer(pollMs, look);
    seen = new Map(Array.from(underWay, (transaction) => [transaction, (seen.get(transaction) ?? 0) + 1]));
    const isStuck = Array.from(seen.values()).some((looks) => looks >= looksToTell);
    if (isStuck !== isSilent) tell((isSilent = isStuck));
  };
  cancel = clock.setTimer(pollMs, look);
  return () => cancel();
}
