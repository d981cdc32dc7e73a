import { TooManyRequests } from './auth-problem.ts';

interface Waiting {
  start: () => void;
  turnAway: (why: Error) => void;
}

export interface FairLineOptions {
  /** How many are worked on at a time. */
  parallel: number;
  /** How many may wait, all lanes together. */
  waiting: number;
  /** How many may wait in one lane. */
  waitingInLane: number;
}

const tooMany = () => new TooManyRequests('over_request_rate_limit', 'Request rate limit reached', 1000);

/**
 * Runs at most `parallel` at a time. Others wait in the lane of whoever sent them, and lanes take turns: a crowd from one address waits
 * for itself, and somebody from another address waits for one of it. Past the bounds, work is turned away with 429; where all lanes
 * together are full, the longest one gives up its last place.
 */
export function createFairLine({ parallel, waiting, waitingInLane }: FairLineOptions) {
  /** In the order of their turns; a lane that is empty is not there. */
  const lanes = new Map<string, Waiting[]>();
  let running = 0;
  let inLine = 0;

  function makeRoom(own: Waiting[]): void {
    if (own.length >= waitingInLane) throw tooMany();
    if (inLine < waiting) return;
    const longest = [...lanes.values()].reduce((most, places) => (places.length > most.length ? places : most), own);
    // Where nobody has two places more than this one would, giving way would only move the refusal.
    if (longest.length <= own.length + 1) throw tooMany();
    longest.pop()?.turnAway(tooMany());
    inLine -= 1;
  }

  function next(): void {
    const [turn] = lanes;
    if (turn === undefined) {
      running -= 1;
      return;
    }
    const [lane, places] = turn;
    const first = places.shift();
    lanes.delete(lane);
    if (places.length > 0) lanes.set(lane, places);
    inLine -= 1;
    first?.start();
  }

  return async function inTurn<T>(lane: string, work: () => Promise<T>): Promise<T> {
    if (running >= parallel) {
      const own = lanes.get(lane) ?? [];
      makeRoom(own);
      await new Promise<void>((start, turnAway) => {
        own.push({ start, turnAway });
        lanes.set(lane, own);
        inLine += 1;
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
