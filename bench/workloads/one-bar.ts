import { setTimeout as sleep } from 'node:timers/promises';
import { openServer } from '../../e2e/open-server.ts';
import { measure } from '../frame/measure.ts';
import type { Workload } from '../frame/workload.ts';
import { openPhone, untilWhole, type RunningPhone } from '../phone/open-phone.ts';
import { freeLink, oneBar, openSlowLink, type SlowLink } from '../world/open-slow-link.ts';
import { allJobs } from './first-sync.ts';

/** Ten times the bandwidth: what is downloaded twice after a break is a number of bytes, however long they take. */
const wideBar = { ...oneBar, bytesPerSecond: oneBar.bytesPerSecond * 10 };

/** Milliseconds from opening the page to the frame that shows the first of at least 50 jobs. */
async function firstScreenful(phone: RunningPhone, link: SlowLink): Promise<number> {
  await phone.forget();
  link.become(oneBar);
  await phone.page.goto(`${phone.url}${allJobs}`, { waitUntil: 'commit' });
  const ms = await phone.page.evaluate(async () => {
    const { bench } = window;
    const enough = () => Object.keys(bench.lists).some((length) => Number(length) >= 50);
    return (await bench.until(enough)).paintedAt;
  });
  link.become(freeLink);
  return ms;
}

/** Milliseconds from opening the page until every job of the tradie's own region is in the list. */
async function ownRegion(phone: RunningPhone, link: SlowLink): Promise<number> {
  await phone.forget();
  link.become(oneBar);
  await phone.page.goto(`${phone.url}${allJobs}`, { waitUntil: 'commit' });
  const ms = await phone.page.evaluate(async () => {
    const { bench } = window;
    await bench.until(() => bench.isSignedIn());
    const { feed } = bench.context();
    await new Promise<void>((resolve) => {
      const look = () => {
        if (feed.current().progress.isNearHere) resolve();
      };
      feed.subscribe(look);
      look();
    });
    return performance.now();
  });
  link.become(freeLink);
  return ms;
}

/** Milliseconds from opening the page until everything is stored, and the bytes it took. */
async function everything(phone: RunningPhone, link: SlowLink): Promise<{ ms: number; bytes: number }> {
  await phone.forget();
  link.become(oneBar);
  link.bytesDownSinceLast();
  await phone.page.goto(`${phone.url}${allJobs}`, { waitUntil: 'commit' });
  await untilWhole(phone.page);
  const ms = await phone.page.evaluate(() => window.bench.durable['segments']?.at ?? Number.NaN);
  const bytes = link.bytesDownSinceLast();
  link.become(freeLink);
  return { ms, bytes };
}

/**
 * Bytes of a first sync that is interrupted `isBroken ? once half of it is there : never`, and continues a second
 * later.
 */
async function bytesOf(phone: RunningPhone, link: SlowLink, isBroken: boolean): Promise<number> {
  await phone.forget();
  link.become(wideBar);
  link.bytesDownSinceLast();
  await phone.page.goto(`${phone.url}${allJobs}`, { waitUntil: 'commit' });
  if (isBroken) {
    await phone.page.waitForFunction(() => (window.bench.durable['segments']?.count ?? 0) >= 25, undefined, {
      polling: 20,
    });
    link.cut();
    await sleep(1_000);
    link.mend();
    await phone.page.evaluate(() => window.dispatchEvent(new Event('online')));
  }
  await untilWhole(phone.page);
  link.become(freeLink);
  return link.bytesDownSinceLast();
}

export const oneBarOfSignal: Workload = {
  ids: ['B3'],
  run: async (fixture) => {
    const world = await fixture.world();
    const line = await openSlowLink();
    // A server whose own address is the link's, over the same database.
    const server = await openServer({
      DATABASE_URL: world.databaseUrl,
      DEMO: '0',
      LOG_LEVEL: 'warn',
      PUBLIC_URL: line.url,
    });
    line.leadTo(server.url);
    const phone = await openPhone(line.url, world.tradie);
    try {
      const running = await phone.start();
      const screenfuls: number[] = [];
      const [whole, broken]: [number[], number[]] = [[], []];
      for (let run = 0; run < fixture.runs; run += 1) screenfuls.push(await firstScreenful(running, line));
      const own: number[] = [];
      for (let run = 0; run < fixture.runs; run += 1) own.push(await ownRegion(running, line));
      for (let run = 0; run < fixture.runs; run += 1) {
        whole.push(await bytesOf(running, line, false));
        broken.push(await bytesOf(running, line, true));
      }
      fixture.say('everything at 400 kbit/s: more than a minute');
      const { ms, bytes } = await everything(running, line);
      return [
        measure({
          id: 'B3',
          name: 'At 400 kbit/s and 400 ms, shell cached: first 50 jobs on screen',
          unit: 'ms',
          runs: screenfuls,
          target: { words: '<= 2.5 s', max: 2_500 },
        }),
        measure({
          id: 'B3',
          name: 'The same, every job of the tradie’s own region',
          unit: 's',
          runs: own.map((ms) => ms / 1_000),
          target: { words: '<= 8 s', max: 8 },
        }),
        measure({
          id: 'B3',
          name: 'Everything; floor: its bytes / bandwidth',
          unit: 's',
          runs: [ms / 1_000],
          floors: [bytes / oneBar.bytesPerSecond],
          target: { words: '<= 1.15 x bytes / bandwidth', maxOfFloor: 1.15 },
        }),
        measure({
          id: 'B3',
          name: 'Broken off half-way and resumed: bytes; floor: unbroken',
          unit: 'kB',
          runs: broken.map((one) => one / 1e3),
          floors: whole.map((one) => one / 1e3),
          target: { words: '<= 5 % downloaded twice', maxOfFloor: 1.05 },
        }),
      ];
    } finally {
      await phone.close();
      await line.close();
      await server.close();
    }
  },
};
