import { Worker } from 'node:worker_threads';
import { closeWorker, workerOptions } from '../batch/run-batch.ts';
import type { Ended, Run } from '../run-seed.ts';

export interface Failing {
  seed: number;
  steps: number;
  /** A planted bug. */
  plant?: string | undefined;
  /** Only these steps of the plan, to begin with. */
  only?: readonly number[] | undefined;
}

export interface ShortRun extends Failing {
  only: number[];
  ended: Ended;
  tries: number;
}

/** Runs one seed after the other in a thread of its own. */
function openRunner(plant: string | undefined): { run(order: Run): Promise<Ended>; close(): Promise<void> } {
  const worker = new Worker(new URL('../batch/worker.ts', import.meta.url), workerOptions(plant));
  return {
    run: (order) =>
      new Promise((resolve, reject) => {
        worker.removeAllListeners();
        worker.once('message', resolve);
        worker.once('error', reject);
        worker.postMessage(order);
      }),
    close: () => closeWorker(worker),
  };
}

const maxTries = 400;

/**
 * Removes steps from a failing seed for as long as the same rule is still broken: halves first, then smaller and
 * smaller pieces, down to single steps (delta debugging). Each step has its own random numbers, so removing one does
 * not change the others.
 */
export async function shrink({ seed, steps, plant, only: given }: Failing): Promise<ShortRun> {
  const runner = openRunner(plant);
  try {
    const whole = await runner.run({ seed, steps, ...(given === undefined ? {} : { only: given }) });
    let best = whole;
    let only = Array.from({ length: steps }, (_none, at) => at).filter((at) =>
      whole.trace.some((told) => told.at === at),
    );
    let tries = 1;
    const stillFails = async (kept: number[]): Promise<Ended | undefined> => {
      tries += 1;
      const ended = await runner.run({ seed, steps, only: kept });
      return ended.violation?.invariant === whole.violation?.invariant ? ended : undefined;
    };
    if (whole.violation !== undefined) {
      const asTold = await stillFails(only);
      if (asTold === undefined) only = Array.from({ length: steps }, (_none, at) => at);
      let size = Math.ceil(only.length / 2);
      while (size >= 1 && tries < maxTries) {
        const before = only.length;
        for (let from = 0; from < only.length && tries < maxTries;) {
          const kept = [...only.slice(0, from), ...only.slice(from + size)];
          const ended = await stillFails(kept);
          if (ended === undefined) from += size;
          else [only, best] = [kept, ended];
        }
        // Single steps are tried again and again, until none can be removed.
        size = size > 1 ? Math.ceil(size / 2) : only.length < before ? 1 : 0;
      }
    }
    return { seed, steps, plant, only, ended: best, tries };
  } finally {
    await runner.close();
  }
}

export function commandFor(seed: number, steps: number, only?: readonly number[], plant?: string): string {
  return [
    'npm run simulate -- --seed',
    seed,
    '--steps',
    steps,
    ...(only === undefined ? [] : ['--only', only.length === 0 ? 'none' : only.join()]),
    ...(plant === undefined ? [] : ['--plant', JSON.stringify(plant)]),
  ].join(' ');
}

/** The shortened run in words, with the one command that runs it again. */
export function describeRun({ seed, steps, only, plant, ended, tries }: ShortRun): string {
  if (ended.violation === undefined) return `Seed ${seed} breaks no rule.`;
  const told = ended.trace.map(({ text }) => text).join('; ');
  return [
    `The shortest failing run found in ${tries} tries (${ended.trace.length} steps):`,
    told === '' ? '(nothing but opening the app)' : told,
    `=> ${ended.violation.message}`,
    commandFor(seed, steps, only, plant),
  ].join('\n');
}
