import { sql } from 'kysely';
import { createId } from '../../shared/lib/id.ts';
import { must } from '../../shared/lib/must.ts';
import { trueRandom } from '../world/random.ts';
import { openFloor, type Floor } from '../floor/open-floor.ts';
import { measure, median, type Measure } from '../frame/measure.ts';
import type { Workload } from '../frame/workload.ts';
import { openPhone, type RunningPhone } from '../phone/open-phone.ts';
import type { World } from '../world/open-world.ts';
import { strictPuts } from './one-write.ts';

const writes = 500;

/** How many wait, and how often that is taken: five thousand once, for it takes minutes. */
const queues = [
  { waiting: 50, runs: 3 },
  { waiting: writes, runs: 3 },
  { waiting: 10 * writes, runs: 1 },
];

/** Ten times as many may take ten times as long. */
const linear = { words: 'at most linear (<= 10 x)', maxOfFloor: 10 };

interface Queue {
  /**
   * Milliseconds to make all of them without signal, one by one, each until it is durable; and from signal until the
   * last is acknowledged.
   */
  made: number;
  drained: number;
  requests: number;
  /** The same for bare records, each put by itself, strictly durable; and for one insert of the same rows. */
  madeFloor: number;
  drainedFloor: number;
}

/** Posts of a whole day without signal: some 300 characters each, as the seeded jobs have. */
function posts(count: number, description: string) {
  return Array.from({ length: count }, (_none, at) => ({
    id: createId(Date.now(), trueRandom),
    title: `Queued offline ${at}`,
    description,
    locationId: 'northland/whangarei',
    budgetMax: 500 + at,
    urgency: 'soon' as const,
    categoryId: 'builder',
  }));
}

interface Measuring {
  world: World;
  running: RunningPhone;
  floor: Floor;
}

/** Makes so many posts without signal, and sends them. Throws where one of them is not in PostgreSQL then. */
async function makeAndDrain({ world, running, floor }: Measuring, count: number): Promise<Queue> {
  const jobs = posts(count, must(world.rows.jobs[0], 'a job').description);
  await running.setSignal(false);
  const { lastUid, made } = await running.page.evaluate(async (queued) => {
    const { sync } = window.bench.context();
    let last = '';
    const begun = performance.now();
    for (const args of queued) last = (await sync.mutate('job.post', args)).uid;
    performance.clearResourceTimings();
    return { lastUid: last, made: performance.now() - begun };
  }, jobs);
  const done = running.page.evaluate(async (uid) => {
    const { bench } = window;
    const decision = await bench.context().sync.waitFor(uid, 600_000);
    const drained = performance.now() - bench.onlineAt;
    if (decision.kind !== 'applied') throw new Error(`The last of them is ${decision.kind}.`);
    const requests = performance
      .getEntriesByType('resource')
      .filter(({ name, startTime }) => name.endsWith('/api/sync') && startTime >= bench.onlineAt);
    return { drained, requests: requests.length };
  }, lastUid);
  await running.setSignal(true);
  const sent = await done;
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from jobs where id = any(${jobs.map(({ id }) => id)}::uuid[])`.execute(
    world.database.sql,
  );
  if (rows[0]?.n !== count) throw new Error(`${rows[0]?.n} of ${count} are in PostgreSQL.`);
  const puts = await running.page.evaluate(strictPuts, { count, restMs: 0 });
  return {
    made,
    ...sent,
    madeFloor: puts.reduce((sum, ms) => sum + ms, 0),
    drainedFloor: await insertStraight(floor.url, jobs, world.homeowner.userId),
  };
}

async function openMeasuring(world: World): Promise<Measuring & { close(): Promise<void> }> {
  const [phone, floor] = [await openPhone(world.url, world.homeowner), await openFloor(world)];
  const running = await phone.start();
  await running.load('/post-job');
  return {
    world,
    running,
    floor,
    close: async () => {
      await phone.close();
      await floor.close();
      await sql`delete from jobs where user_id = ${world.homeowner.userId}`.execute(world.database.sql);
    },
  };
}

export const offlineWrites: Workload = {
  ids: ['B5'],
  run: async (fixture) => {
    const measuring = await openMeasuring(await fixture.world());
    try {
      const taken: Queue[] = [];
      for (let run = -1; run < fixture.runs; run += 1) {
        const queue = await makeAndDrain(measuring, writes);
        if (run >= 0) taken.push(queue);
      }
      return [
        measure({
          id: 'B5',
          name: '500 writes queued offline, from signal to acknowledged and in PostgreSQL; floor: one plain bulk insert',
          unit: 'ms',
          runs: taken.map(({ drained }) => drained),
          floors: taken.map(({ drainedFloor }) => drainedFloor),
          target: { words: '<= 150 ms', max: 150 },
        }),
        measure({
          id: 'B5',
          name: 'Requests of it',
          unit: 'requests',
          runs: taken.map(({ requests }) => requests),
          target: { words: 'one request', max: 1 },
        }),
        measure({
          id: 'B5',
          name: 'Making them offline, one by one; floor: 500 records put one by one, strictly durable',
          unit: 'ms',
          runs: taken.map(({ made }) => made),
          floors: taken.map(({ madeFloor }) => madeFloor),
          target: { words: '<= 1,200 ms', max: 1_200 },
        }),
      ];
    } finally {
      await measuring.close();
    }
  },
};

/** What a write costs with few and with many before it that wait. */
export const offlineQueue: Workload = {
  ids: ['B18'],
  run: async (fixture) => {
    const measuring = await openMeasuring(await fixture.world());
    const at: (Queue & { waiting: number })[] = [];
    try {
      await makeAndDrain(measuring, 50);
      for (const { waiting, runs } of queues) {
        const taken: Queue[] = [];
        for (let run = 0; run < runs; run += 1) taken.push(await makeAndDrain(measuring, waiting));
        const middle = (of: (one: Queue) => number) => median(taken.map(of));
        at.push({
          waiting,
          made: middle(({ made }) => made),
          drained: middle(({ drained }) => drained),
          requests: middle(({ requests }) => requests),
          madeFloor: middle(({ madeFloor }) => madeFloor),
          drainedFloor: middle(({ drainedFloor }) => drainedFloor),
        });
      }
    } finally {
      await measuring.close();
    }
    const row = (words: string, value: (one: Queue) => number, floorOf: (one: Queue) => number): Measure[] => [
      ...at.map((one) =>
        measure({
          id: 'B18',
          name: `${one.waiting.toLocaleString('en-NZ')} waiting writes ${words}`,
          unit: 'ms',
          runs: [value(one)],
          floors: [floorOf(one)],
        }),
      ),
      ...at.slice(1).map((one, index) => {
        const before = must(at[index], 'the smaller queue');
        return measure({
          id: 'B18',
          name: `The slope of it: ${one.waiting.toLocaleString('en-NZ')} against ${before.waiting.toLocaleString('en-NZ')}`,
          unit: 'ms',
          runs: [value(one)],
          floors: [value(before)],
          target: linear,
        });
      }),
    ];
    return [
      ...row(
        'made offline, one by one; floor: records put one by one, strictly durable',
        ({ made }) => made,
        ({ madeFloor }) => madeFloor,
      ),
      ...row(
        'sent, until the last is acknowledged; floor: one plain bulk insert',
        ({ drained }) => drained,
        ({ drainedFloor }) => drainedFloor,
      ),
    ];
  },
};

/** Milliseconds of one request that puts the rows into a table, from here. */
async function insertStraight(url: string, jobs: ReturnType<typeof posts>, userId: string): Promise<number> {
  const now = new Date().toISOString();
  const rows = jobs.map((job) => ({
    id: createId(Date.now(), trueRandom),
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
