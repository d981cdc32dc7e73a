import { sql } from 'kysely';
import { must } from '../../shared/lib/must.ts';
import { fetchRows } from '../floor/fetch-rows.ts';
import { gzippedRows, openFloor } from '../floor/open-floor.ts';
import { measure } from '../frame/measure.ts';
import type { Workload } from '../frame/workload.ts';
import { openPhone } from '../phone/open-phone.ts';
import type { World } from '../world/open-world.ts';
import { jobsAcross } from '../world/jobs-across.ts';
import { allJobs } from './first-sync.ts';

/**
 * From the start of the request that brings them; `sinceCommit`: from PostgreSQL's answer to the commit. Milliseconds.
 */
interface Changed {
  shown: number;
  durable: number;
  shownSinceCommit: number;
  requests: number;
  bytes: number;
  gzipBytes: number;
}

/**
 * Changes 200 jobs spread over the whole list, the newest among them, and waits until a phone that shows it has them.
 */
export async function measureChanges(world: World, runs: number): Promise<{ taken: Changed[]; floors: number[] }> {
  const [phone, floor] = [await openPhone(world.url, world.tradie), await openFloor(world)];
  const jobs = jobsAcross(world);
  const newest = must(world.rows.jobs.at(-1), 'a job').id;
  try {
    const running = await phone.start();
    const floors: number[] = [];
    await running.page.goto(floor.url);
    for (let run = 0; run < runs; run += 1) floors.push(await fetchRows(running.page, '/changed'));
    await running.load(allJobs);
    const taken: Changed[] = [];
    for (let run = -1; run < runs; run += 1) {
      await running.page.waitForTimeout(500);
      const title = `Changed in run ${run}, ${Date.now()}`;
      await running.page.evaluate(() => performance.clearResourceTimings());
      const seen = running.page.evaluate(
        async ([id, words]) => {
          const { bench } = window;
          const { shownAt } = await bench.until(
            () => document.querySelector(`a[href="/job/${id}"]`)?.textContent === words,
          );
          const before = bench.durable['fresh']?.at ?? 0;
          // Shown from memory, it may not be on the disk yet.
          while ((bench.durable['fresh']?.at ?? 0) === before && shownAt > before + 1_000)
            await new Promise((resolve) => setTimeout(resolve, 1));
          await new Promise((resolve) => setTimeout(resolve, 150));
          const requests = performance
            .getEntriesByType('resource')
            .filter(({ name }) => name.endsWith('/api/sync')) as PerformanceResourceTiming[];
          const startedAt = requests[0]?.startTime ?? Number.NaN;
          const bytes = requests.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
          return {
            shownAt,
            wall: performance.timeOrigin + shownAt,
            startedAt,
            durableAt: bench.durable['fresh']?.at ?? Number.NaN,
            requests: requests.length,
            bytes,
          };
        },
        [newest, title] as const,
      );
      await sql`update jobs set title = ${title} where id = any(${jobs.map(({ id }) => id)}::uuid[])`.execute(
        world.database.sql,
      );
      const committedAt = performance.timeOrigin + performance.now();
      const { shownAt, wall, startedAt, durableAt, requests, bytes } = await seen;
      if (run < 0) continue;
      const gzipBytes = gzippedRows(
        'feed',
        jobs.map((job) => ({ ...job, title })),
      );
      taken.push({
        shown: shownAt - startedAt,
        durable: durableAt - startedAt,
        shownSinceCommit: wall - committedAt,
        requests,
        bytes,
        gzipBytes,
      });
    }
    return { taken, floors };
  } finally {
    await phone.close();
    await floor.close();
  }
}

export const changes: Workload = {
  ids: ['B8'],
  run: async (fixture) => {
    const { taken, floors } = await measureChanges(await fixture.world(), fixture.runs);
    return [
      measure({
        id: 'B8',
        name: '200 of 20,000 jobs change: from asking until shown; floor: 200 rows in one body, parsed',
        unit: 'ms',
        runs: taken.map(({ shown }) => shown),
        floors,
        target: { words: '<= 25 ms', max: 25 },
      }),
      measure({
        id: 'B8',
        name: 'Until durable',
        unit: 'ms',
        runs: taken.map(({ durable }) => durable),
        floors,
        target: { words: '<= 50 ms', max: 50 },
      }),
      measure({
        id: 'B8',
        name: 'From the commit in PostgreSQL until shown',
        unit: 'ms',
        runs: taken.map(({ shownSinceCommit }) => shownSinceCommit),
      }),
      measure({
        id: 'B8',
        name: 'Requests of it',
        unit: 'requests',
        runs: taken.map(({ requests }) => requests),
        target: { words: 'one request', max: 1 },
      }),
      measure({
        id: 'B8',
        name: 'Bytes of it; floor: gzip of the changed rows',
        unit: 'kB',
        runs: taken.map(({ bytes }) => bytes / 1e3),
        floors: taken.map(({ gzipBytes }) => gzipBytes / 1e3),
        target: { words: '<= 1.3 x gzip of the changed rows', maxOfFloor: 1.3 },
      }),
    ];
  },
};
