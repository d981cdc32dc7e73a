import { sql } from 'kysely';
import { makeId } from '../../shared/lib/id.ts';
import { must } from '../../shared/lib/must.ts';
import { trueRandom } from '../world/random.ts';
import { openFloor } from '../floor/open-floor.ts';
import { measure } from '../frame/measure.ts';
import type { Workload } from '../frame/workload.ts';
import { openPhone } from '../phone/open-phone.ts';

const writes = 500;

interface Drained {
  ms: number;
  requests: number;
}

/** Posts of a whole day without signal: some 300 characters each, as the seeded jobs have. */
function posts(description: string) {
  return Array.from({ length: writes }, (_none, at) => ({
    id: makeId(Date.now(), trueRandom),
    title: `Queued offline ${at}`,
    description,
    locationId: 'northland/whangarei',
    budgetMax: 500 + at,
    urgency: 'soon' as const,
    categoryId: 'builder',
  }));
}

export const offlineWrites: Workload = {
  ids: ['B5'],
  run: async (fixture) => {
    const world = await fixture.world();
    const { description } = must(world.rows.jobs[0], 'a job');
    const [phone, floor] = [await openPhone(world.url, world.homeowner), await openFloor(world)];
    try {
      const running = await phone.start();
      await running.load('/post-job');
      const drained: Drained[] = [];
      const floors: number[] = [];
      for (let run = -1; run < fixture.runs; run += 1) {
        const jobs = posts(description);
        await running.setSignal(false);
        const lastUid = await running.page.evaluate(async (queued) => {
          const { sync } = window.bench.context();
          let last = '';
          for (const args of queued) last = (await sync.mutate('job.post', args)).uid;
          performance.clearResourceTimings();
          return last;
        }, jobs);
        const done = running.page.evaluate(async (uid): Promise<Drained> => {
          const { bench } = window;
          const decision = await bench.context().sync.waitFor(uid, 60_000);
          const ms = performance.now() - bench.onlineAt;
          if (decision.kind !== 'applied') throw new Error(`The last of them is ${decision.kind}.`);
          const requests = performance
            .getEntriesByType('resource')
            .filter(({ name, startTime }) => name.endsWith('/api/sync') && startTime >= bench.onlineAt);
          return { ms, requests: requests.length };
        }, lastUid);
        await running.setSignal(true);
        const one = await done;
        const { rows } = await sql<{
          n: number;
        }>`select count(*)::int as n from jobs where id = any(${jobs.map(({ id }) => id)}::uuid[])`.execute(
          world.database.sql,
        );
        if (rows[0]?.n !== writes) throw new Error(`${rows[0]?.n} of ${writes} are in PostgreSQL.`);
        const floorMs = await insertStraight(floor.url, jobs, world.homeowner.userId);
        if (run < 0) continue;
        drained.push(one);
        floors.push(floorMs);
      }
      return [
        measure({
          id: 'B5',
          name: '500 writes queued offline, from signal to acknowledged and in PostgreSQL; floor: one plain bulk insert',
          unit: 'ms',
          runs: drained.map(({ ms }) => ms),
          floors,
          target: { words: '<= 150 ms', max: 150 },
        }),
        measure({
          id: 'B5',
          name: 'Requests of it',
          unit: 'requests',
          runs: drained.map(({ requests }) => requests),
          target: { words: '<= 3 requests', max: 3 },
        }),
      ];
    } finally {
      await phone.close();
      await floor.close();
      await sql`delete from jobs where user_id = ${world.homeowner.userId}`.execute(world.database.sql);
    }
  },
};

/** Milliseconds of one request that puts the rows into a table, from here. */
async function insertStraight(url: string, jobs: ReturnType<typeof posts>, userId: string): Promise<number> {
  const now = new Date().toISOString();
  const rows = jobs.map((job) => ({
    id: makeId(Date.now(), trueRandom),
    user_id: userId,
    title: job.title,
    description: job.description,
    location_id: job.locationId,
    budget_max: job.budgetMax,
    urgency: job.urgency,
    category_id: job.categoryId,
    status: 'active',
    images: [],
    interest_count: 0,
    created_at: now,
  }));
  const begun = performance.now();
  const response = await fetch(`${url}/insert`, { method: 'POST', body: JSON.stringify(rows) });
  if (!response.ok) throw new Error(await response.text());
  return performance.now() - begun;
}
