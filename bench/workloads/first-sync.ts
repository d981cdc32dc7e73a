import type { CDPSession } from '@playwright/test';
import { fetchRows } from '../floor/fetch-rows.ts';
import { openFloor } from '../floor/open-floor.ts';
import { measure } from '../frame/measure.ts';
import type { Fixture } from '../frame/fixture.ts';
import type { Workload } from '../frame/workload.ts';
import { openPhone, untilWhole, type RunningPhone } from '../phone/open-phone.ts';
import type { World } from '../world/open-world.ts';

/** Every job, whatever it may cost. */
export const allJobs = '/find-jobs?max=50000';

interface FirstSync {
  /**
   * Milliseconds from the first request of the engine until everything is in IndexedDB and every job is in the list.
   */
  ms: number;
  /** The same from opening the page. */
  fromOpeningMs: number;
  /** Bodies as they came over the wire. */
  bytes: number;
  requests: number;
}

/** One first sync on a phone that has the shell and a session. */
export async function syncFirst(phone: RunningPhone, jobs: number): Promise<FirstSync> {
  await phone.forget();
  await phone.page.goto(`${phone.url}${allJobs}`);
  const wholeAt = await untilWhole(phone.page);
  return phone.page.evaluate(
    async ([size, memoryAt]) => {
      const { bench } = window;
      const { shownAt } = await bench
        .until(() => bench.lists[size] !== undefined)
        .then(() => bench.lists[size] ?? { shownAt: Number.NaN });
      const requests = performance
        .getEntriesByType('resource')
        .filter(({ name }) => new URL(name).pathname.startsWith('/api/sync') && !name.endsWith('/poke'));
      const doneAt = Math.max(memoryAt, shownAt, bench.durable['segments']?.at ?? Number.NaN);
      const bytes = requests.reduce((sum, request) => sum + (request as PerformanceResourceTiming).encodedBodySize, 0);
      return {
        ms: doneAt - (requests[0]?.startTime ?? Number.NaN),
        fromOpeningMs: doneAt,
        bytes,
        requests: requests.length,
      };
    },
    [String(jobs), wholeAt] as const,
  );
}

export interface FirstSyncs {
  syncs: FirstSync[];
  floors: number[];
  floorBytes: number;
  rowsGzipBytes: number;
}

/** First syncs and their lower bound, in turn. */
export async function measureFirstSync(
  world: World,
  runs: number,
  more?: (phone: RunningPhone, floorUrl: string) => Promise<void>,
): Promise<FirstSyncs> {
  const [phone, floor] = [await openPhone(world.url, world.tradie), await openFloor(world)];
  try {
    const running = await phone.start();
    const taken: FirstSyncs = {
      syncs: [],
      floors: [],
      floorBytes: floor.columnsBytes,
      rowsGzipBytes: floor.rowsGzipBytes,
    };
    // The first of each warms up code and database, and does not count.
    for (let run = -1; run < runs; run += 1) {
      await running.page.goto(floor.url);
      const floorMs = await fetchRows(running.page, '/rows');
      const sync = await syncFirst(running, world.jobs);
      if (run < 0) continue;
      taken.floors.push(floorMs);
      taken.syncs.push(sync);
    }
    await more?.(running, floor.url);
    return taken;
  } finally {
    await phone.close();
    await floor.close();
  }
}

/** MB of JavaScript heap in use, after the garbage was collected. */
async function heapMb(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}

export const firstSync: Workload = {
  ids: ['B1', 'B2', 'B15'],
  run: async (fixture: Fixture) => {
    const world = await fixture.world();
    const heaps: number[] = [];
    const heapFloors: number[] = [];
    const { syncs, floors, floorBytes, rowsGzipBytes } = await measureFirstSync(
      world,
      fixture.runs,
      async (phone, floorUrl) => {
        for (let run = 0; run < fixture.runs; run += 1) {
          await phone.load(allJobs);
          heaps.push(await heapMb(phone.cdp));
          await phone.page.goto(floorUrl);
          await fetchRows(phone.page, '/rows');
          heapFloors.push(await heapMb(phone.cdp));
        }
      },
    );
    return [
      measure({
        id: 'B1',
        name: 'First sync of everything, until durable and queryable',
        unit: 'ms',
        runs: syncs.map(({ ms }) => ms),
        floors,
        target: { words: '<= 2 x floor', maxOfFloor: 2 },
      }),
      measure({
        id: 'B1',
        name: 'The same, from opening the page',
        unit: 'ms',
        runs: syncs.map(({ fromOpeningMs }) => fromOpeningMs),
        floors,
      }),
      measure({ id: 'B1', name: 'Requests of it', unit: 'requests', runs: syncs.map(({ requests }) => requests) }),
      measure({
        id: 'B2',
        name: 'Bytes of B1; floor: gzip of row-wise JSON',
        unit: 'kB',
        runs: syncs.map(({ bytes }) => bytes / 1e3),
        floors: [rowsGzipBytes / 1e3],
        target: { words: '<= 0.75 x gzip of row-wise JSON', maxOfFloor: 0.75 },
      }),
      measure({
        id: 'B2',
        name: 'The floor’s own body: one column-wise text, brotli',
        unit: 'kB',
        runs: [floorBytes / 1e3],
      }),
      measure({
        id: 'B15',
        name: 'JavaScript heap with everything loaded',
        unit: 'MB',
        runs: heaps,
        floors: heapFloors,
        target: { words: '<= 80 MB', max: 80 },
      }),
    ];
  },
};
