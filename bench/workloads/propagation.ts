import { createId } from '../../shared/lib/id.ts';
import type { Job } from '../../shared/tables/index.ts';
import { openFloor } from '../floor/open-floor.ts';
import { measure, percentile } from '../frame/measure.ts';
import type { Workload } from '../frame/workload.ts';
import { openPhone, type Phone, type RunningPhone } from '../phone/open-phone.ts';
import { trueRandom } from '../world/random.ts';
import { allJobs } from './first-sync.ts';

const writesPerRun = 8;

/** Posts a job and waits until the server has it. */
async function postJob(writer: RunningPhone): Promise<string> {
  const id = createId(Date.now(), trueRandom);
  const args = {
    id,
    title: 'To be seen elsewhere',
    description: 'As soon as it suits you.',
    locationId: 'northland/whangarei',
    urgency: 'soon' as const,
    categoryId: 'builder',
    budgetMax: 500,
  };
  await writer.page.evaluate(async (job) => {
    const { sync } = window.bench.context();
    const { uid } = await sync.mutate('job.post', job);
    await sync.waitFor(uid, 30_000);
  }, args);
  return id;
}

/** Milliseconds from the tap's handler on one phone until the other one's page says so. */
async function edit(writer: RunningPhone, reader: RunningPhone, id: string, title: string): Promise<number> {
  const seen = reader.page.evaluate(async (words) => {
    const { shownAt } = await window.bench.until(() =>
      [...document.querySelectorAll('h1, h2')].some((heading) => heading.textContent === words),
    );
    return performance.timeOrigin + shownAt;
  }, title);
  const tappedAt = await writer.page.evaluate(
    async ([jobId, words]) => {
      const { sync, db } = window.bench.context();
      const job = (await db.jobs.get(jobId)) as Job;
      const at = performance.timeOrigin + performance.now();
      const { uid } = await sync.mutate('job.edit', { id: jobId, set: { title: words }, base: { title: job.title } });
      await sync.waitFor(uid, 30_000);
      return at;
    },
    [id, title] as const,
  );
  return (await seen) - tappedAt;
}

async function editMany(
  writer: RunningPhone,
  reader: RunningPhone,
  path: (id: string) => string,
  runs: number,
): Promise<number[]> {
  const id = await postJob(writer);
  await reader.load(path(id));
  await reader.page.waitForFunction((words) => document.body.textContent.includes(words), 'To be seen elsewhere');
  const taken: number[] = [];
  // The first ones warm up code and connections.
  for (let at = -3; at < runs * writesPerRun; at += 1) {
    const ms = await edit(writer, reader, id, `Seen elsewhere ${at}`);
    if (at >= 0) taken.push(ms);
    await reader.page.waitForTimeout(150);
  }
  return taken;
}

/** What two pages and a bare server between them take: posted by one, written into the other's document. */
async function relay(writer: RunningPhone, reader: RunningPhone, url: string, runs: number): Promise<number[]> {
  for (const { page } of [writer, reader]) await page.goto(url);
  await reader.page.evaluate(() => {
    const stream = new EventSource('/stream');
    stream.onmessage = ({ data }) => {
      const place = document.querySelector('p');
      if (place !== null) place.textContent = String(data);
    };
    return new Promise((resolve) => stream.addEventListener('open', resolve));
  });
  const taken: number[] = [];
  for (let at = -3; at < runs * writesPerRun; at += 1) {
    const words = `said ${at}`;
    const seen = reader.page.evaluate(
      async (text) =>
        performance.timeOrigin +
        (await window.bench.until(() => document.querySelector('p')?.textContent === text)).shownAt,
      words,
    );
    const saidAt = await writer.page.evaluate(async (text) => {
      const now = performance.timeOrigin + performance.now();
      await fetch('/relay', { method: 'POST', body: text });
      return now;
    }, words);
    const ms = (await seen) - saidAt;
    if (at >= 0) taken.push(ms);
  }
  return taken;
}

export const propagation: Workload = {
  ids: ['B6'],
  run: async (fixture) => {
    const world = await fixture.world();
    const floor = await openFloor(world);
    const phones: Phone[] = [];
    const start = async (account: typeof world.tradie, path: string) => {
      const phone = await openPhone(world.url, account);
      phones.push(phone);
      const running = await phone.start();
      await running.load(path);
      return running;
    };
    try {
      const writer = await start(world.homeowner, '/post-job');
      const tradie = await start(world.tradie, allJobs);
      const floors = await relay(writer, tradie, floor.url, fixture.runs);
      await writer.load('/post-job');
      const feed = await editMany(writer, tradie, () => allJobs, fixture.runs);
      await tradie.stop();
      const second = await start(world.homeowner, '/post-job');
      const desktop = await editMany(writer, second, (id) => `/job/${id}`, fixture.runs);
      const p95 = (id: string, name: string, runs: number[], floorRuns: number[]) =>
        measure({
          id,
          name,
          unit: 'ms',
          runs: [percentile(runs, 95)],
          floors: [percentile(floorRuns, 95)],
          target: { words: 'p95 <= 30 ms', max: 30 },
        });
      return [
        measure({
          id: 'B6',
          name: 'One device edits a job, the owner’s other device shows it; floor: two pages and a bare stream between them',
          unit: 'ms',
          runs: desktop,
          floors,
          target: { words: 'median <= 14 ms', max: 14 },
        }),
        p95('B6', 'The same, p95', desktop, floors),
        measure({
          id: 'B6',
          name: 'One device edits a job, a tradie’s list of 20,000 shows it',
          unit: 'ms',
          runs: feed,
          floors,
          target: { words: 'median <= 14 ms', max: 14 },
        }),
        p95('B6', 'The same, p95', feed, floors),
      ];
    } finally {
      for (const phone of phones) await phone.close();
      await floor.close();
    }
  },
};
