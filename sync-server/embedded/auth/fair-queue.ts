import { TooManyRequests } from './auth-problem.ts';

interface Waiting {
  start: () => void;
  turnAway: (why: Error) => void;
}

export interface FairQueueOptions {
  /** How many are worked on at a time. */
  parallel: number;
  /** How many may wait, all lanes together. */
  waiting: number;
  /** How many may wait in one lane. */
  waitingPerKey: number;
}

const tooMany = () => new TooManyRequests('over_request_rate_limit', 'Request rate limit reached', 1000);

/**
 * Runs at most `parallel` at a time. Others wait in the lane of whoever sent them, and lanes take turns: a crowd from one address waits
 * for itself, and somebody from another address waits for one of it. Past the bounds, work is turned away with 429; where all lanes
 * together are full, the longest one gives up its last place.
 */
export function createFairQueue({ parallel, waiting, waitingPerKey }: FairQueueOptions) {
  /** In the order of their turns; a lane that is empty is not there. */
  const queues = new Map<string, Waiting[]>();
  let running = 0;
  let queued = 0;

  function makeRoom(own: Waiting[]): void {
    if (own.length >= waitingPerKey) throw tooMany();
    if (queued < waiting) return;
    const longest = [...queues.values()].reduce((most, places) => (places.length > most.length ? places : most), own);
    // Where nobody has two places more than this one would, giving way would only move the refusal.
    if (longest.length <= own.length + 1) throw tooMany();
    longest.pop()?.turnAway(tooMany());
    queued -= 1;
  }

  function next(): void {
    const [turn] = queues;
    if (turn === undefined) {
      running -= 1;
      return;
    }
    const [queueKey, places] = turn;
    const first = places.shift();
    queues.delete(queueKey);
    if (places.length > 0) queues.set(queueKey, places);
    queued -= 1;
    first?.start();
  }

  return async function inTurn<T>(queueKey: string, work: () => Promise<T>): Promise<T> {
    if (running >= parallel) {
      const own = queues.get(queueKey) ?? [];
      makeRoom(own);
      await new Promise<void>((start, turnAway) => {
        own.push({ start, turnAway });
        queues.set(queueKey, own);
        queued += 1;
      });
    } else running += 1;
    try {
      return await work();
    } finally {
      // The place is handed straight to the next in turn, so `running` only falls when nobody waits.
      next();
    }
  };
}
