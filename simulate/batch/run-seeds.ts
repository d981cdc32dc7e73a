import type { Ended } from '../run-seed.ts';
import { commandFor, shrink, describeRun } from '../trace/shrink.ts';
import { isUnforeseen, missingCounts } from './expected.ts';
import {
  batchName,
  noProgress,
  operationsIn,
  readProgress,
  seedsDone,
  writeProgress,
  type Progress,
} from './progress.ts';
import { range, runBatch, workersHere } from './run-batch.ts';
import { writeTally } from './write-tally.ts';

export interface Seeds {
  from: number;
  to: number;
  steps: number;
  /** Discard the state of an earlier run. */
  isFresh: boolean;
  /** A file for the counts of passed and failed, as `npm test` reads them. */
  report: string | undefined;
  /** Threads; as many as the machine has where undefined. */
  workers: number | undefined;
}

const everySeeds = 20;

/** Runs many seeds unattended. 0 where none failed and everything that should have happened did. */
export async function runSeeds({ from, to, steps, isFresh, report, workers = workersHere() }: Seeds): Promise<number> {
  const name = batchName(from, to, steps);
  const progress = isFresh ? noProgress() : readProgress(name);
  const done = new Set(progress.done.flatMap(([first, last]) => [...range(first, last)]));
  if (done.size > 0) console.log(`${done.size} of ${to - from + 1} seeds are done already; going on`);
  const failures: Ended[] = [];
  let since = 0;
  const began = performance.now();
  const save = () => {
    progress.done = asRanges(done);
    writeProgress(name, progress);
  };
  await runBatch({
    seeds: [...range(from, to)].filter((seed) => !done.has(seed)),
    steps,
    workers,
    onEnded: (ended) => {
      done.add(ended.seed);
      for (const [what, count] of Object.entries(ended.counts))
        progress.counts[what] = (progress.counts[what] ?? 0) + count;
      progress.virtualMs += ended.virtualMs;
      progress.cpuMs += ended.cpuMs;
      if (ended.violation !== undefined) {
        failures.push(ended);
        progress.failed.push(ended.seed);
        console.log(`seed ${ended.seed}: ${ended.violation.message}\n  ${commandFor(ended.seed, steps)}`);
      }
      since += 1;
      if (since % everySeeds === 0) save();
      return failures.length < 5;
    },
  });
  save();
  const seconds = (performance.now() - began) / 1_000;
  const [first] = failures;
  if (first !== undefined) console.log(describeRun(await shrink({ seed: first.seed, steps })));
  return summarise(progress, { wanted: to - from + 1, steps, report, workers, seconds });
}

/** `seconds`: of this run alone; those of an interrupted one are in the rest. */
function summarise(
  progress: Progress,
  {
    wanted,
    steps,
    report,
    workers,
    seconds,
  }: { wanted: number; steps: number; report: string | undefined; workers: number; seconds: number },
): number {
  const seeds = seedsDone(progress);
  const { counts, failed, virtualMs, cpuMs } = progress;
  const operations = operationsIn(progress);
  const missing = missingCounts(counts, seeds);
  const unforeseen = Object.keys(counts).filter(isUnforeseen);
  console.log(
    Object.entries(counts)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([what, count]) => `${String(count).padStart(10)}  ${what}`)
      .join('\n'),
  );
  console.log(
    `\n${seeds} seeds x ${steps} steps on ${workers} threads: ${operations} operations (steps, exchanges, writes on devices), ${Math.round(operations / (cpuMs / 1000))} a second of one core; ${(virtualMs / 3_600_000).toFixed(0)} virtual hours`,
  );
  console.log(`This go took ${seconds.toFixed(0)} s; the seeds took ${(cpuMs / 1_000).toFixed(0)} s of processors.`);
  for (const what of missing) console.log(`It never happened: ${what}`);
  for (const what of unforeseen) console.log(`Unforeseen: ${what}`);
  if (seeds < wanted) console.log(`Ended early: ${wanted - seeds} seeds were not run`);
  const isWell = seeds === wanted && failed.length === 0 && missing.length === 0 && unforeseen.length === 0;
  console.log(isWell ? 'No rule was broken.' : `Broken: ${failed.length} seeds (${failed.join(', ')})`);
  writeTally(report, {
    passed: seeds - failed.length,
    failed: failed.length + missing.length + unforeseen.length + (wanted - seeds),
  });
  return isWell ? 0 : 1;
}

function asRanges(seeds: ReadonlySet<number>): [number, number][] {
  const ranges: [number, number][] = [];
  for (const seed of [...seeds].toSorted((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === seed - 1) last[1] = seed;
    else ranges.push([seed, seed]);
  }
  return ranges;
}
