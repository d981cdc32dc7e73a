import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import pLimit from 'p-limit';
import type { Ended } from '../run-seed.ts';
import type { WorkerOrder } from './worker.ts';

export interface Batch {
  seeds: Iterable<number>;
  steps: number;
  /** A planted bug, for every worker. */
  defect?: string;
  workers?: number;
  /** Each seed also returns the rows left at the end. */
  keepsEnd?: boolean;
  /** Called with each seed as it ends; false ends the batch. */
  onEnded(ended: Ended): boolean;
}

export const workersHere = (): number => Math.max(1, Math.min(8, availableParallelism()));

/** Most objects are short-lived: a larger young generation saves a quarter of the time. */
export const workerOptions = (defect: string | undefined): WorkerOptions => ({
  workerData: { defect },
  stderr: true,
  stdout: true,
  resourceLimits: { maxYoungGenerationSizeMb: 256 },
});

/**
 * Has a thread end itself between two of its own steps, and waits for it. Ended from outside it can be in the middle of
 * making a stream of node:zlib, which Node 24 answers by aborting the whole process.
 */
export function closeWorker(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    // One that failed has ended already, and never says so again.
    if (worker.threadId === -1) return resolve();
    worker.once('error', reject);
    worker.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`A thread ended with ${code}.`))));
    worker.postMessage('end' satisfies WorkerOrder);
  });
}

/** Runs seeds on as many threads as the machine has. */
export async function runBatch({
  seeds,
  steps,
  defect,
  workers = workersHere(),
  keepsEnd = false,
  onEnded,
}: Batch): Promise<void> {
  const threads = Array.from(
    { length: workers },
    () => new Worker(new URL('worker.ts', import.meta.url), workerOptions(defect)),
  );
  const free = [...threads];
  let isOver = false;
  await pLimit(workers).map(seeds, async (seed) => {
    if (isOver) return;
    // One is free whenever another seed may run.
    const thread = free.pop()!;
    thread.postMessage({ seed, steps, keepsEnd } satisfies WorkerOrder);
    const [ended] = (await once(thread, 'message')) as [Ended];
    free.push(thread);
    if (!onEnded(ended)) isOver = true;
  });
  await Promise.all(threads.map(closeWorker));
}

export function* range(from: number, to: number): Generator<number> {
  for (let seed = from; seed <= to; seed += 1) yield seed;
}
