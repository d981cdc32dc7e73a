import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { sql } from 'kysely';
import { createId } from '../../shared/lib/id.ts';
import type { SentMutation } from '../../shared/protocol/exchange.ts';
import { askOver } from '../../simulate/stress/ask.ts';
import { measure } from '../frame/measure.ts';
import type { Fixture } from '../frame/fixture.ts';
import type { Workload } from '../frame/workload.ts';
import { trueRandom } from '../world/random.ts';
import { cpuMs, parentOf, postgresCpuMs } from './process-cost.ts';
import { openServerWorld, type ServerWorld } from './server-world.ts';

const batch = 50;

const post = (): SentMutation => ({
  uid: randomUUID(),
  name: 'job.post',
  args: {
    id: createId(Date.now(), trueRandom),
    title: 'Replace spouting',
    description: 'About 14 metres, single storey. '.repeat(10),
    locationId: 'southland/winton',
    urgency: 'soon',
    categoryId: 'spouting',
  },
  at: new Date().toISOString(),
});

async function send(
  { server, homeowners }: ServerWorld,
  devices: number,
  batches: number,
): Promise<{ applied: number; seen: number }> {
  let left = batches;
  let applied = 0;
  let seen = 0;
  await Promise.all(
    homeowners.slice(0, devices).map(async ({ token }) => {
      const agent = new Agent({ keepAlive: true });
      const ask = askOver(server.origin, token, agent);
      let answer = await ask({});
      for (; left > 0;) {
        left -= 1;
        const mutations = Array.from({ length: batch }, post);
        const ids = new Set(mutations.map(({ args }) => (args as { id: string }).id));
        let cookie = answer.kind === 'delta' ? answer.cookie : null;
        answer = await ask({ cookie, mutations });
        for (;;) {
          if (answer.kind !== 'delta') throw new Error('a reset');
          applied += answer.outcomes.filter(({ status }) => status === 'applied').length;
          seen += answer.puts.jobs?.filter(({ id }) => ids.has(id)).length ?? 0;
          if (!answer.more) break;
          cookie = answer.cookie;
          answer = await ask({ cookie, awaiting: mutations.map(({ uid }) => uid) });
        }
      }
      agent.destroy();
    }),
  );
  return { applied, seen };
}

/** Of one run. CPU in milliseconds for each mutation. */
interface Run {
  /** Mutations a second. */
  rate: number;
  server: number;
  postgres: number;
  /** The program that asks, which shares the cores. */
  asker: number;
  missed: number;
}

/** Devices that write all the time, fifty changes to a request, every commit on the disk before it is answered. */
async function sustain(fixture: Fixture, devices: number, batchesPerRun: number): Promise<Run[]> {
  const world = await openServerWorld(fixture, 2_000);
  const { rows: own } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(world.database.sql);
  const postmaster = parentOf(own[0]!.pid);
  const pid = world.server.pid();
  const count = async () =>
    Number((await sql<{ n: string }>`select count(*) as n from jobs`.execute(world.database.sql)).rows[0]?.n);
  const runs: Run[] = [];
  // The first, shorter run is for the caches; what it misses counts.
  let missed = 0;
  for (let run = -1; run < fixture.runs; run += 1) {
    const batches = run < 0 ? batchesPerRun / 4 : batchesPerRun;
    const sent = batches * batch;
    const before = await count();
    const [began, asker, server, postgres] = [
      performance.now(),
      process.cpuUsage(),
      cpuMs(pid),
      postgresCpuMs(postmaster),
    ];
    const { applied, seen } = await send(world, devices, batches);
    const { user, system } = process.cpuUsage(asker);
    const used = {
      rate: (sent / (performance.now() - began)) * 1_000,
      server: (cpuMs(pid) - server) / sent,
      postgres: (postgresCpuMs(postmaster) - postgres) / sent,
      asker: (user + system) / 1_000 / sent,
    };
    missed += 2 * sent - applied - seen + Math.abs((await count()) - before - sent);
    if (run >= 0) runs.push({ ...used, missed });
  }
  return runs;
}

/** B12: eight devices. */
export const sustainedMutations: Workload = {
  ids: ['B12'],
  async run(fixture) {
    const runs = await sustain(fixture, 8, 240);
    return [
      measure({
        id: 'B12',
        name: 'Mutations a second, 8 devices, batches of 50, durable PostgreSQL',
        unit: '/s',
        runs: runs.map(({ rate }) => rate),
        target: { words: '>= 3,000/s', atLeast: 3_000 },
      }),
      measure({
        id: 'B12',
        name: '… for each second of CPU the server process used',
        unit: '/s',
        runs: runs.map(({ server }) => 1_000 / server),
      }),
      missedIn('B12', runs),
    ];
  },
};

/** B21: thirty-two devices, and what each party to it uses: together they may use two cores. */
export const manyWriters: Workload = {
  ids: ['B21'],
  async run(fixture) {
    const runs = await sustain(fixture, 32, 480);
    const used = (name: string, of: (run: Run) => number) =>
      measure({ id: 'B21', name, unit: 'ms', runs: runs.map(of) });
    return [
      measure({
        id: 'B21',
        name: 'Mutations a second, 32 devices, batches of 50, durable PostgreSQL',
        unit: '/s',
        runs: runs.map(({ rate }) => rate),
        target: { words: '>= 10,000/s', atLeast: 10_000 },
      }),
      used('… CPU for each, of the server process', ({ server }) => server),
      used('… of PostgreSQL, all its processes', ({ postgres }) => postgres),
      used('… of the program that asks', ({ asker }) => asker),
      measure({
        id: 'B21',
        name: '… what two cores bear without the program that asks, by that CPU',
        unit: '/s',
        runs: runs.map(({ server, postgres }) => Math.min(1_000 / server, 2_000 / (server + postgres))),
      }),
      missedIn('B21', runs),
    ];
  },
};

const missedIn = (id: string, runs: readonly Run[]) =>
  measure({
    id,
    name: '… missed (not applied, not in PostgreSQL, or not sent back)',
    unit: '',
    runs: [runs.at(-1)?.missed ?? 0],
    target: { words: '0', max: 0 },
  });
