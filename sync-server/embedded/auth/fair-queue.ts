import { TooManyRequests } from './auth-problem.ts';

interface Waiting {
  start: () => void;
  reject: (why: Error) => void;
}

export interface FairQueueOptions {
  /** How many run at a time. */
  parallel: number;
  /** How many may wait, over all keys. */
  waiting: number;
  /** How many may wait under one key. */
  waitingPerKey: number;
}

const tooMany = () => new TooManyRequests('over_request_rate_limit', 'Request rate limit reached', 1000);

/**
 * Runs at most `parallel` at a time. Others wait in one FIFO per key (the client's address block), served round robin:
 * many requests from one address wait for each other, and a request from another address waits for one of them. Past
 * the bounds, work is rejected with 429; where the total is full, the longest FIFO loses its last entry.
 */
export function createFairQueue({ parallel, waiting, waitingPerKey }: FairQueueOptions) {
  /** The FIFOs in the order of their turns; empty ones are removed. */
  const queues = new Map<string, Waiting[]>();
  let running = 0;
  let queued = 0;

  function ensureCapacity(own: Waiting[]): void {
    if (own.length >= waitingPerKey) throw tooMany();
    if (queued < waiting) return;
    const longest = [...queues.values()].reduce(
      (most, entries) => (entries.length > most.length ? entries : most),
      own,
    );
    // Where no FIFO is longer than this one by two, dropping an entry would only reject another request instead.
    if (longest.length <= own.length + 1) throw tooMany();
    longest.pop()?.reject(tooMany());
    queued -= 1;
  }

  function next(): void {
    const [turn] = queues;
    if (turn === undefined) {
      running -= 1;
      return;
    }
    const [queueKey, entries] = turn;
    const first = entries.shift();
    queues.delete(queueKey);
    if (entries.length > 0) queues.set(queueKey, entries);
    queued -= 1;
    first?.start();
  }

  return async function inTurn<T>(queueKey: string, work: () => Promise<T>): Promise<T> {
    if (running >= parallel) {
      const own = queues.get(queueKey) ?? [];
      ensureCapacity(own);
      await new Promise<void>((start, reject) => {
        own.push({ start, reject });
        queues.set(queueKey, own);
        queued += 1;
      });
    } else running += 1;
    try {
      return await work();
    } finally {
      // The slot goes straight to the next in turn, so `running` only falls when nothing waits.
      next();
    }
  };
}
