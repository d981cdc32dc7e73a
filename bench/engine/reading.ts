import { openFloor } from '../floor/open-floor.ts';
import { measure, percentile, type Measure } from '../frame/measure.ts';
import type { Workload } from '../frame/workload.ts';
import type { Phone, RunningPhone } from '../phone/open-phone.ts';
import type { World } from '../world/open-world.ts';
import { bareFirstSync, bareKeepRows, bareQueries, bareRestart, prepareBare } from './bare.ts';
import { openDevice, loadEngine, putEngine } from './open-device.ts';

const queriesPerRun = 60;

/** Milliseconds from opening the engine until all of it is in memory and on the disk. */
export async function syncFirst(running: RunningPhone, jobs: number): Promise<number> {
  await running.forget();
  await putEngine(running);
  return running.page.evaluate(async (count) => {
    const { bench, engine } = window;
    const begun = performance.now();
    await engine.open();
    const { context, publicDb } = engine;
    const isStored = async () => {
      const states = [...(await context.db.shelfStates.toArray()), ...(await publicDb.shelfStates.toArray())];
      return states.length >= 3 && states.every(({ manifest, coming }) => manifest !== null && coming === null);
    };
    await new Promise<void>((resolve) => {
      const look = () => {
        const { rows, status } = context.feed.current();
        if (status === 'ready' && rows.length === count) resolve();
      };
      context.feed.subscribe(look);
      look();
    });
    const inMemoryAt = performance.now();
    // Asked for only from here on: to ask is work too. The time is that of the last transaction.
    while (!(await isStored())) await new Promise((resolve) => setTimeout(resolve, 5));
    return Math.max(inMemoryAt, bench.durable['segments']?.at ?? Number.NaN) - begun;
  }, jobs);
}

/** Milliseconds from opening the engine, in a browser just started, until 50 jobs can be read. Without signal. */
export async function restart(device: Phone): Promise<number> {
  const running = await device.start();
  try {
    await putEngine(running);
    await running.setSignal(false);
    return await running.page.evaluate(async () => {
      const { engine } = window;
      const begun = performance.now();
      await engine.open();
      const { feed } = engine.context;
      return new Promise<number>((resolve) => {
        const look = () => {
          if (feed.current().rows.length >= 50) resolve(performance.now() - begun);
        };
        feed.subscribe(look);
        look();
      });
    });
  } finally {
    await running.stop();
  }
}

/** Each of so many filters that were not asked for before, over everything. Milliseconds. */
export function query(running: RunningPhone, count: number): Promise<number[]> {
  return running.page.evaluate((queries) => {
    const { context, referenceLists, createFindJobs, resetFilters } = window.engine;
    const { rows } = context.feed.current();
    const categories = referenceLists().categories.map(({ id }) => id);
    const none = new Set<string>();
    const own = { interestedIn: none, hidden: none, shortlisted: none, regionOf: () => undefined };
    const find = createFindJobs();
    // The order is made once, as on the page.
    find(rows, resetFilters, own);
    return Array.from({ length: queries }, (_none, at) => {
      const categoryIds = [0, 1, 2].map((more) => categories[(at + more) % categories.length] ?? '');
      const begun = performance.now();
      const found = find(rows, { ...resetFilters, categoryIds, budget: 5_000 + at * 50 }, own);
      const ms = performance.now() - begun;
      if (found.length === 0) throw new Error('A query found nothing.');
      return ms;
    });
  }, count);
}

async function measureReading(world: World, runs: number): Promise<Measure[]> {
  const [device, floor] = [await openDevice(world.url, world.tradie), await openFloor(world)];
  try {
    const syncs: number[] = [];
    const syncFloors: number[] = [];
    const running = await device.start();
    const goBare = async (to: RunningPhone) => {
      await to.page.goto(floor.url);
      await to.page.evaluate(prepareBare);
    };
    // The first of each warms up code and database, and does not count.
    for (let run = -1; run < runs; run += 1) {
      await goBare(running);
      const floorMs = await running.page.evaluate(bareFirstSync);
      const ms = await syncFirst(running, world.jobs);
      if (run < 0) continue;
      syncFloors.push(floorMs);
      syncs.push(ms);
    }
    await loadEngine(running);
    const queries = await query(running, 20 + runs * queriesPerRun);
    await goBare(running);
    await running.page.evaluate(bareKeepRows);
    const queryFloors = await running.page.evaluate(bareQueries, 20 + runs * queriesPerRun);
    await running.stop();
    const restarts: number[] = [];
    const restartFloors: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      const bare = await device.start();
      await goBare(bare);
      restartFloors.push(await bare.page.evaluate(bareRestart));
      await bare.stop();
      restarts.push(await restart(device));
    }
    return [
      measure({
        id: 'B22',
        name: 'Engine alone: first sync, everything durable and in memory, from opening the engine; floor: one body, parsed and stored as it came',
        unit: 'ms',
        runs: syncs,
        floors: syncFloors,
        target: { words: '<= 320 ms', max: 320 },
      }),
      measure({
        id: 'B22',
        name: 'Engine alone: browser restart, from opening the engine to 50 jobs; floor: 50 plain rows',
        unit: 'ms',
        runs: restarts,
        floors: restartFloors,
        target: { words: '<= 150 ms', max: 150 },
      }),
      measure({
        id: 'B22',
        name: 'Engine alone: a query over 20,000, p95; floor: one bare filter',
        unit: 'ms',
        runs: [percentile(queries.slice(20), 95)],
        floors: [percentile(queryFloors.slice(20), 95)],
        target: { words: 'p95 <= 0.4 ms', max: 0.4 },
      }),
    ];
  } finally {
    await device.close();
    await floor.close();
  }
}

export const engineReading: Workload = {
  ids: ['B22', 'B22A'],
  run: async (fixture) => measureReading(await fixture.world(), fixture.runs),
};
