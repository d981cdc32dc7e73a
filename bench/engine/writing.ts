import { sql } from 'kysely';
import { createId } from '../../shared/lib/id.ts';
import { must } from '../../shared/lib/must.ts';
import { openFloor } from '../floor/open-floor.ts';
import { measure, type Measure } from '../frame/measure.ts';
import type { Workload } from '../frame/workload.ts';
import type { RunningPhone } from '../phone/open-phone.ts';
import { strictPuts } from '../workloads/one-write.ts';
import type { World } from '../world/open-world.ts';
import { trueRandom } from '../world/random.ts';
import { bareEdits, bareQueue, prepareBare } from './bare.ts';
import { openDevice, loadEngine } from './open-device.ts';

const waiting = 500;
const perRun = 8;

interface Tap {
  shown: number;
  durable: number;
}

/** Interest in each of these jobs, a tap at a time, until its subscriber has the new row and until it is durable. */
export function tap(running: RunningPhone, jobIds: string[]): Promise<Tap[]> {
  return running.page.evaluate(async (ids) => {
    const { context, newId, watchRows } = window.engine;
    const interests = watchRows(
      context.db.rows,
      ['interests'],
      (rows) => new Set([...rows.interests.values()].map(({ jobId }) => jobId)),
    );
    let wanted = '';
    let shownAt = 0;
    const stop = interests.subscribe(() => {
      const read = interests.current();
      if (shownAt === 0 && read.state === 'ready' && read.value.has(wanted)) shownAt = performance.now();
    });
    const taken: Tap[] = [];
    for (const jobId of ids) {
      await new Promise((resolve) => setTimeout(resolve, 120));
      [wanted, shownAt] = [jobId, 0];
      const begun = performance.now();
      await context.sync.mutate('interest.express', { id: newId(), jobId });
      taken.push({ durable: performance.now() - begun, shown: shownAt - begun });
    }
    stop();
    return taken;
  }, jobIds);
}

/** Hides each of these jobs: until the sorted list of all others has come without it. Milliseconds. */
export function editInList(running: RunningPhone, jobIds: string[]): Promise<number[]> {
  return running.page.evaluate(async (ids) => {
    const { context, newId, watchList } = window.engine;
    const list = watchList(context);
    let shownAt = 0;
    let before = list.current().length;
    const stop = list.subscribe(() => {
      if (list.current().length === before - 1 && shownAt === 0) shownAt = performance.now();
    });
    const taken: number[] = [];
    for (const jobId of ids) {
      await new Promise((resolve) => setTimeout(resolve, 120));
      before = list.current().length;
      shownAt = 0;
      const begun = performance.now();
      await context.sync.mutate('job.mark', { id: newId(), jobId, hidden: true });
      if (shownAt === 0) throw new Error('The list did not change.');
      taken.push(shownAt - begun);
    }
    stop();
    return taken;
  }, jobIds);
}

/** Makes interests without signal, one by one, each until it is durable. Milliseconds, and the last one's uid. */
export async function makeWaiting(running: RunningPhone, jobIds: string[]): Promise<{ made: number; last: string }> {
  await running.setSignal(false);
  return running.page.evaluate(async (ids) => {
    const { context, newId } = window.engine;
    let last = '';
    const begun = performance.now();
    for (const jobId of ids) last = (await context.sync.mutate('interest.express', { id: newId(), jobId })).uid;
    const made = performance.now() - begun;
    performance.clearResourceTimings();
    return { made, last };
  }, jobIds);
}

/** From the page's `online` event until the last one's outcome is on the device. */
export async function drain(running: RunningPhone, last: string): Promise<{ drained: number; requests: number }> {
  const done = running.page.evaluate(async (uid) => {
    const { bench, engine } = window;
    const decision = await engine.context.sync.waitFor(uid, 120_000);
    const drained = performance.now() - bench.onlineAt;
    if (decision.kind !== 'applied') throw new Error(`The last of them is ${decision.kind}.`);
    const requests = performance
      .getEntriesByType('resource')
      .filter(({ name, startTime }) => name.endsWith('/api/sync') && startTime >= bench.onlineAt);
    return { drained, requests: requests.length };
  }, last);
  await running.setSignal(true);
  return done;
}

/** Jobs as rows of the bare queue. */
function bareRows(userId: string, description: string): object[] {
  return Array.from({ length: waiting }, (_none, at) => ({
    id: createId(Date.now(), trueRandom),
    user_id: userId,
    title: `Queued offline ${at}`,
    description,
    location_id: 'northland/whangarei',
    budget_max: 500,
    urgency: 'soon',
    category_id: 'builder',
    status: 'active',
    images: [],
    interest_count: 0,
    created_at: new Date().toISOString(),
  }));
}

async function measureWriting(world: World, runs: number): Promise<Measure[]> {
  const [device, floor] = [await openDevice(world.url, world.tradie), await openFloor(world)];
  let next = world.rows.jobs.length;
  const takeJobs = (count: number) => world.rows.jobs.slice((next -= count), next + count).map(({ id }) => id);
  try {
    const running = await device.start();
    await loadEngine(running);
    const queues: (Awaited<ReturnType<typeof drain>> & { made: number })[] = [];
    for (let run = -1; run < runs; run += 1) {
      const ids = takeJobs(waiting);
      const { made, last } = await makeWaiting(running, ids);
      const queue = { made, ...(await drain(running, last)) };
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from interests
        where user_id = ${world.tradie.userId} and job_id = any(${ids}::uuid[])`.execute(world.database.sql);
      if (rows[0]?.n !== waiting) throw new Error(`${rows[0]?.n} of ${waiting} are in PostgreSQL.`);
      if (run >= 0) queues.push(queue);
      await running.page.waitForTimeout(1_000);
    }
    // Without signal, so that only what the device does is counted.
    await running.setSignal(false);
    const taps = (await tap(running, takeJobs(runs * perRun + 5))).slice(5);
    const edits = (await editInList(running, takeJobs(runs * perRun + 5))).slice(5);
    await running.setSignal(true);
    await running.page.goto(floor.url);
    await running.page.evaluate(prepareBare);
    const bareTaps = await running.page.evaluate(strictPuts, { count: taps.length, restMs: 120 });
    const listFloors = (await running.page.evaluate(bareEdits, runs * perRun + 5)).slice(5);
    const queueFloors: { made: number; drained: number }[] = [];
    const rows = bareRows(world.tradie.userId, must(world.rows.jobs[0], 'a job').description);
    for (let run = -1; run < runs; run += 1) {
      const taken = await running.page.evaluate(bareQueue, rows);
      if (run >= 0) queueFloors.push(taken);
    }
    return [
      measure({
        id: 'B22',
        name: 'Engine alone: 500 waiting interests, from the online event to acknowledged; floor: one request, one insert',
        unit: 'ms',
        runs: queues.map(({ drained }) => drained),
        floors: queueFloors.map(({ drained }) => drained),
        target: { words: '<= 180 ms', max: 180 },
      }),
      measure({
        id: 'B22',
        name: 'Requests of it',
        unit: 'requests',
        runs: queues.map(({ requests }) => requests),
        target: { words: 'one request', max: 1 },
      }),
      measure({
        id: 'B22',
        name: 'Engine alone: making those 500, one by one; floor: 500 records put one by one, strictly durable',
        unit: 'ms',
        runs: queues.map(({ made }) => made),
        floors: queueFloors.map(({ made }) => made),
        target: { words: '<= 1,200 ms', max: 1_200 },
      }),
      measure({
        id: 'B22',
        name: 'Engine alone: a tap until its subscriber has it',
        unit: 'ms',
        runs: taps.map(({ shown }) => shown),
        target: { words: '<= 0.6 ms', max: 0.6 },
      }),
      measure({
        id: 'B22',
        name: 'Engine alone: a tap until durable (strict); floor: one record put by itself, strictly durable',
        unit: 'ms',
        runs: taps.map(({ durable }) => durable),
        floors: bareTaps,
        target: { words: '<= 3 ms', max: 3 },
      }),
      measure({
        id: 'B22',
        name: 'Engine alone: a job is hidden until the list of 20,000 is without it; floor: one bare filter',
        unit: 'ms',
        runs: edits,
        floors: listFloors,
        target: { words: '<= 0.9 ms', max: 0.9 },
      }),
    ];
  } finally {
    await device.close();
    await floor.close();
    // The interests of other workloads' tradie are theirs.
    await sql`delete from interests where user_id = ${world.tradie.userId}`.execute(world.database.sql);
  }
}

export const engineWriting: Workload = {
  ids: ['B22', 'B22B'],
  run: async (fixture) => measureWriting(await fixture.ownWorld(), fixture.runs),
};
