import { sql } from 'kysely';
import { createId } from '../../shared/lib/id.ts';
import { must } from '../../shared/lib/must.ts';
import { openFloor } from '../floor/open-floor.ts';
import { measure, percentile, type Measure } from '../frame/measure.ts';
import type { Workload } from '../frame/workload.ts';
import type { Phone, RunningPhone } from '../phone/open-phone.ts';
import type { World } from '../world/open-world.ts';
import { jobsAcross } from '../world/jobs-across.ts';
import { trueRandom } from '../world/random.ts';
import { bareChanges, prepareBare } from './bare.ts';
import { openDevice, loadEngine } from './open-device.ts';

const changesPerRun = 3;
const writesPerRun = 8;

export interface Changed {
  /** Milliseconds from the start of the request that brings them. */
  shown: number;
  durable: number;
  shownSinceCommit: number;
}

/** Changes 200 jobs spread over the whole list, the newest among them, in one commit. */
export async function change(running: RunningPhone, world: World, title: string): Promise<Changed> {
  const jobs = jobsAcross(world);
  const newest = must(world.rows.jobs.at(-1), 'a job').id;
  await running.page.evaluate(() => performance.clearResourceTimings());
  const seen = running.page.evaluate(
    async ([id, words]) => {
      const { bench, engine } = window;
      const list = engine.watchList(engine.context);
      list.current();
      const before = bench.durable['fresh']?.count ?? 0;
      const shownAt = await new Promise<number>((resolve) => {
        const stop = list.subscribe(() => {
          if (list.current().find((job) => job.id === id)?.title !== words) return;
          stop();
          resolve(performance.now());
        });
      });
      while ((bench.durable['fresh']?.count ?? 0) === before) await new Promise((resolve) => setTimeout(resolve, 1));
      await new Promise((resolve) => setTimeout(resolve, 100));
      const asked = performance.getEntriesByType('resource').find(({ name }) => name.endsWith('/api/sync'));
      const askedAt = asked?.startTime ?? Number.NaN;
      return {
        shown: shownAt - askedAt,
        durable: (bench.durable['fresh']?.at ?? Number.NaN) - askedAt,
        wall: performance.timeOrigin + shownAt,
      };
    },
    [newest, title] as const,
  );
  await sql`update jobs set title = ${title} where id = any(${jobs.map(({ id }) => id)}::uuid[])`.execute(
    world.database.sql,
  );
  const committedAt = performance.timeOrigin + performance.now();
  const { shown, durable, wall } = await seen;
  return { shown, durable, shownSinceCommit: wall - committedAt };
}

/** Posts a job, and waits until the server has it. */
export async function postJob(writer: RunningPhone): Promise<string> {
  const job = {
    id: createId(Date.now(), trueRandom),
    title: 'To be seen elsewhere',
    description: 'As soon as it suits you.',
    locationId: 'northland/whangarei',
    urgency: 'soon' as const,
    categoryId: 'builder',
    budgetMax: 500,
  };
  await writer.page.evaluate(async (args) => {
    const { sync } = window.engine.context;
    await sync.waitFor((await sync.mutate('job.post', args)).uid, 30_000);
  }, job);
  return job.id;
}

/** Where the other device sees it: in the rows of the owner, or in a tradie’s list of all jobs. */
export type Place = 'own' | 'list';

/** Milliseconds from before `mutate` on one device until the other's subscriber has it, by this machine's clock. */
export async function edit(
  writer: RunningPhone,
  reader: RunningPhone,
  { id, title, place }: { id: string; title: string; place: Place },
): Promise<number> {
  const seen = reader.page.evaluate(
    async ([jobId, words, where]) => {
      const { context, watchList, watchRows } = window.engine;
      const list = watchList(context);
      const own = watchRows(context.db.rows, ['jobs'], ({ jobs }) => jobs.get(jobId));
      const titleNow = () => {
        if (where === 'list') return list.current().find((job) => job.id === jobId)?.title;
        const read = own.current();
        return read.state === 'ready' ? read.value?.title : undefined;
      };
      titleNow();
      return new Promise<number>((resolve) => {
        const stop = (where === 'list' ? list : own).subscribe(() => {
          if (titleNow() !== words) return;
          resolve(performance.timeOrigin + performance.now());
          stop();
        });
      });
    },
    [id, title, place] as const,
  );
  const begunAt = await writer.page.evaluate(
    async ([jobId, words]) => {
      const { sync, db } = window.engine.context;
      const base = { title: db.rows.shown.jobs.get(jobId)?.title ?? '' };
      // The other one's subscriber is there.
      await new Promise((resolve) => setTimeout(resolve, 50));
      const at = performance.timeOrigin + performance.now();
      const { uid } = await sync.mutate('job.edit', { id: jobId, set: { title: words }, base });
      await sync.waitFor(uid, 30_000);
      return at;
    },
    [id, title] as const,
  );
  return (await seen) - begunAt;
}

async function editMany(writer: RunningPhone, reader: RunningPhone, place: Place, runs: number): Promise<number[]> {
  const id = await postJob(writer);
  await reader.page.waitForTimeout(500);
  const taken: number[] = [];
  // The first ones warm up code and connections.
  for (let at = -3; at < runs * writesPerRun; at += 1) {
    const ms = await edit(writer, reader, { id, title: `Seen elsewhere ${at}`, place });
    if (at >= 0) taken.push(ms);
    await reader.page.waitForTimeout(150);
  }
  return taken;
}

/** What two pages and a bare stream between them take, until the other page's listener is called. */
async function relay(writer: RunningPhone, reader: RunningPhone, url: string, runs: number): Promise<number[]> {
  for (const { page } of [writer, reader]) await page.goto(url);
  await reader.page.evaluate(() => {
    const stream = new EventSource('/stream');
    Object.assign(window, { stream });
    return new Promise((resolve) => stream.addEventListener('open', resolve));
  });
  const taken: number[] = [];
  for (let at = -3; at < runs * writesPerRun; at += 1) {
    const words = `said ${at}`;
    const seen = reader.page.evaluate(
      (text) =>
        new Promise<number>((resolve) => {
          const { stream } = window as unknown as { stream: EventSource };
          stream.onmessage = ({ data }) => {
            if (data === text) resolve(performance.timeOrigin + performance.now());
          };
        }),
      words,
    );
    const saidAt = await writer.page.evaluate(async (text) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      const now = performance.timeOrigin + performance.now();
      await fetch('/relay', { method: 'POST', body: text });
      return now;
    }, words);
    const ms = (await seen) - saidAt;
    if (at >= 0) taken.push(ms);
  }
  return taken;
}

async function measureMoving(world: World, runs: number): Promise<Measure[]> {
  const floor = await openFloor(world);
  const devices: Phone[] = [];
  const start = async (account: World['tradie']) => {
    const device = await openDevice(world.url, account);
    devices.push(device);
    return device.start();
  };
  try {
    const reader = await start(world.tradie);
    await loadEngine(reader);
    const changes: Changed[] = [];
    for (let run = -2; run < runs * changesPerRun; run += 1) {
      await reader.page.waitForTimeout(500);
      const taken = await change(reader, world, `Changed in run ${run}, ${Date.now()}`);
      if (run >= 0) changes.push(taken);
    }
    const writer = await start(world.homeowner);
    await loadEngine(writer);
    const inList = await editMany(writer, reader, 'list', runs);
    const floors = await relay(writer, reader, floor.url, runs);
    await reader.page.evaluate(prepareBare);
    const bare: Awaited<ReturnType<typeof bareChanges>>[] = [];
    for (let run = -2; run < runs * changesPerRun; run += 1) {
      const taken = await reader.page.evaluate(bareChanges);
      if (run >= 0) bare.push(taken);
    }
    await reader.stop();
    const second = await start(world.homeowner);
    await loadEngine(second);
    await loadEngine(writer);
    const inOwn = await editMany(writer, second, 'own', runs);
    const pair = (where: string, taken: number[]) => [
      measure({
        id: 'B22',
        name: `Engine alone: one device edits a job, ${where}; floor: a bare stream between two pages`,
        unit: 'ms',
        runs: taken,
        floors,
        target: { words: 'median <= 12 ms', max: 12 },
      }),
      measure({
        id: 'B22',
        name: 'The same, p95',
        unit: 'ms',
        runs: [percentile(taken, 95)],
        floors: [percentile(floors, 95)],
        target: { words: 'p95 <= 22 ms', max: 22 },
      }),
    ];
    return [
      measure({
        id: 'B22',
        name: 'Engine alone: 200 of 20,000 jobs change, from asking until the list has them; floor: one body, parsed',
        unit: 'ms',
        runs: changes.map(({ shown }) => shown),
        floors: bare.map(({ shown }) => shown),
        target: { words: '<= 20 ms', max: 20 },
      }),
      measure({
        id: 'B22',
        name: 'From asking until durable; floor: 200 rows put',
        unit: 'ms',
        runs: changes.map(({ durable }) => durable),
        floors: bare.map(({ durable }) => durable),
        target: { words: '<= 40 ms', max: 40 },
      }),
      measure({
        id: 'B22',
        name: 'From the commit in PostgreSQL until the list has them',
        unit: 'ms',
        runs: changes.map(({ shownSinceCommit }) => shownSinceCommit),
      }),
      ...pair('a tradie’s list of 20,000 has it', inList),
      ...pair('the owner’s other device has it', inOwn),
    ];
  } finally {
    for (const device of devices) await device.close();
    await floor.close();
  }
}

export const engineMoving: Workload = {
  ids: ['B22', 'B22C'],
  run: async (fixture) => measureMoving(await fixture.ownWorld(), fixture.runs),
};
