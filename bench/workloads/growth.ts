import { measure, median, type Measure } from '../frame/measure.ts';
import type { Workload } from '../frame/workload.ts';
import { measureChanges } from './changes.ts';
import { measureColdStart } from './cold-start.ts';
import { measureFirstSync } from './first-sync.ts';
import { measureTyping } from './typing.ts';

const sizes = [1_000, 5_000, 20_000, 50_000];

/** Runs at each size: what counts is how the sizes compare. */
const runs = 3;

interface AtSize {
  jobs: number;
  firstSync: number;
  coldStart: number;
  typing: number;
  changes: number;
}

/** Fifty thousand against five: ten times the jobs may cost ten times as much, and what is flat half as much again. */
const linear = { words: 'at most linear (<= 10 x)', maxOfFloor: 10 };
const flat = { words: 'flat (<= 1.5 x)', maxOfFloor: 1.5 };

export const growth: Workload = {
  ids: ['B16'],
  run: async (fixture) => {
    const at: AtSize[] = [];
    for (const jobs of sizes) {
      const world = await fixture.ownWorld(jobs);
      const { syncs } = await measureFirstSync(world, runs);
      const { starts } = await measureColdStart(world, runs, { isSlowToo: false });
      const { settled } = await measureTyping(world, 1);
      const { taken } = await measureChanges(world, runs);
      at.push({
        jobs,
        firstSync: median(syncs.map(({ ms }) => ms)),
        coldStart: median(starts.map(({ wholeMs }) => wholeMs)),
        typing: median(settled),
        changes: median(taken.map(({ shown }) => shown)),
      });
      await world.close();
    }
    const row = (name: string, value: (one: AtSize) => number, target: typeof linear): Measure[] => [
      ...at.slice(0, -1).map((one) =>
        measure({
          id: 'B16',
          name: `${name} at ${one.jobs.toLocaleString('en-NZ')} jobs`,
          unit: 'ms',
          runs: [value(one)],
        }),
      ),
      measure({
        id: 'B16',
        name: `${name} at 50,000; floor: at 5,000`,
        unit: 'ms',
        runs: at.slice(-1).map(value),
        floors: at.slice(1, 2).map(value),
        target,
      }),
    ];
    return [
      ...row('First sync (B1)', ({ firstSync }) => firstSync, linear),
      ...row('Cold start to the whole list (B4)', ({ coldStart }) => coldStart, linear),
      ...row('Typing, until the list shows it, p95 (B9)', ({ typing }) => typing, linear),
      ...row('200 changes (B8)', ({ changes }) => changes, flat),
    ];
  },
};
