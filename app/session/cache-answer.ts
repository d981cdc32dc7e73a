import type { Clock } from '../db/clock.ts';

/** Caches the answer for `ms`, where asking anew costs a trip to the disk. A failure is not cached. */
export function cacheAnswer<T>(clock: Pick<Clock, 'now'>, ms: number, ask: () => Promise<T>): () => Promise<T> {
  let held: { answer: Promise<T>; at: number } | undefined;
  return () => {
    if (held === undefined || Math.abs(clock.now() - held.at) >= ms) {
      const asked = { answer: ask(), at: clock.now() };
      asked.answer.catch(() => held === asked && (held = undefined));
      held = asked;
    }
    return held.answer;
  };
}
