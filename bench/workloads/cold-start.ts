import { keptHere } from '../../e2e/kept-here.ts';
import { fetchRows } from '../floor/fetch-rows.ts';
import { openFloor } from '../floor/open-floor.ts';
import { measure } from '../frame/measure.ts';
import type { Workload } from '../frame/workload.ts';
import { openPhone, type Phone } from '../phone/open-phone.ts';
import type { World } from '../world/open-world.ts';
import { allJobs } from './first-sync.ts';

interface ColdStart {
  /** Milliseconds from opening the page to the frame after the first cards of a list of 50 at least: as it was left. */
  ms: number;
  /** The same until the app itself shows them, and takes taps. */
  appMs: number;
  /** From the first transaction over the feed's stores to those cards being in the page. */
  readingMs: number;
  /** Until the list has every job. */
  wholeMs: number;
}

/** Starts the browser on what the phone has, without signal. */
export async function startCold(phone: Phone, jobs: number, slowDown = 1): Promise<ColdStart> {
  const running = await phone.start();
  try {
    await running.setSignal(false);
    await running.slowDown(slowDown);
    await running.page.goto(`${phone.url}${allJobs}`, { waitUntil: 'commit' });
    return await running.page.evaluate(
      async ([size, userId]) => {
        const { bench } = window;
        const isScreenful = ([length, seen]: [string, { paintedAt: number }]) =>
          Number(length) >= 50 && seen.paintedAt > 0;
        const whole = await bench.until(() => bench.lists[size] !== undefined);
        const first = Object.entries(bench.lists).find(isScreenful)?.[1] ?? whole;
        return {
          // It stands in the document, so that the first paint has it.
          ms: bench.wasKept
            ? (performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN)
            : first.paintedAt,
          appMs: first.paintedAt,
          readingMs: first.shownAt - (bench.firstUsed[`dwang-${userId}/segments`] ?? Number.NaN),
          wholeMs: whole.paintedAt,
        };
      },
      [String(jobs), phone.account.userId] as const,
    );
  } finally {
    await running.stop();
  }
}

export interface ColdStarts {
  starts: ColdStart[];
  slowStarts: ColdStart[];
  /** From the browser's own cache to rows in memory. */
  floors: number[];
}

export async function measureColdStart(
  world: World,
  runs: number,
  { isSlowToo }: { isSlowToo: boolean },
): Promise<ColdStarts> {
  const [phone, floor] = [await openPhone(world.url, world.tradie), await openFloor(world)];
  try {
    const loading = await phone.start();
    await loading.load(allJobs);
    // The service worker and the code cache are as on a phone that has used the app before.
    await loading.load(allJobs);
    // It keeps itself for the next start.
    while ((await keptHere(loading.page)).length === 0) await loading.page.waitForTimeout(200);
    await loading.page.goto(floor.url);
    await fetchRows(loading.page, '/rows', 'default');
    await loading.stop();
    const taken: ColdStarts = { starts: [], slowStarts: [], floors: [] };
    for (let run = 0; run < runs; run += 1) {
      const running = await phone.start();
      await running.page.goto(floor.url);
      taken.floors.push(await fetchRows(running.page, '/rows', 'force-cache'));
      await running.stop();
      taken.starts.push(await startCold(phone, world.jobs));
      if (isSlowToo) taken.slowStarts.push(await startCold(phone, world.jobs, 6));
    }
    return taken;
  } finally {
    await phone.close();
    await floor.close();
  }
}

export const coldStart: Workload = {
  ids: ['B4'],
  run: async (fixture) => {
    const { starts, slowStarts, floors } = await measureColdStart(await fixture.world(), fixture.runs, {
      isSlowToo: true,
    });
    return [
      measure({
        id: 'B4',
        name: 'Cold start without signal, to the first 50 jobs on screen; floor: all rows out of the browser’s cache into memory',
        unit: 'ms',
        runs: starts.map(({ ms }) => ms),
        floors,
        target: { words: '<= 250 ms', max: 250 },
      }),
      measure({
        id: 'B4',
        name: 'Until the app itself shows them and takes taps',
        unit: 'ms',
        runs: starts.map(({ appMs }) => appMs),
      }),
      measure({
        id: 'B4',
        name: 'Of which reading the data',
        unit: 'ms',
        runs: starts.map(({ readingMs }) => readingMs),
        target: { words: '<= 60 ms', max: 60 },
      }),
      measure({
        id: 'B4',
        name: 'Until the list has all 20,000',
        unit: 'ms',
        runs: starts.map(({ wholeMs }) => wholeMs),
      }),
      measure({
        id: 'B4',
        name: 'The first 50 at 6 x CPU slow-down',
        unit: 'ms',
        runs: slowStarts.map(({ ms }) => ms),
        target: { words: '<= 1 s', max: 1_000 },
      }),
      measure({
        id: 'B4',
        name: 'All 20,000 at 6 x CPU slow-down',
        unit: 'ms',
        runs: slowStarts.map(({ wholeMs }) => wholeMs),
      }),
    ];
  },
};
