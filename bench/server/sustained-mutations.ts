import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { sql } from 'kysely';
import { createId } from '../../shared/lib/id.ts';
import type { SentMutation } from '../../shared/protocol/exchange.ts';
import { askOver } from '../../simulate/stress/ask.ts';
import { measure } from '../frame/measure.ts';
import type { Workload } from '../frame/workload.ts';
import { trueRandom } from '../world/random.ts';
import { cpuMs } from './process-cost.ts';
import { openServerWorld, type ServerWorld } from './server-world.ts';

const devices = 8;
const batch = 50;
const batchesPerRun = 240;

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

async function send({ server, homeowners }: ServerWorld, batches: number): Promise<{ applied: number; seen: number }> {
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

/**
 * B12: eight devices write all the time, fifty changes to a request, every commit on the disk before it is answered.
 */
export const sustainedMutations: Workload = {
  ids: ['B12'],
  async run(fixture) {
    const world = await openServerWorld(fixture, 2_000);
    const rate: number[] = [];
    const cpu: number[] = [];
    let missed = 0;
    for (let run = -1; run < fixture.runs; run += 1) {
      const count = async () =>
        Number((await sql<{ n: string }>`select count(*) as n from jobs`.execute(world.database.sql)).rows[0]?.n);
      const before = await count();
      const [began, used] = [performance.now(), cpuMs(world.server.pid())];
      const { applied, seen } = await send(world, run < 0 ? batchesPerRun / 4 : batchesPerRun);
      const sent = (run < 0 ? batchesPerRun / 4 : batchesPerRun) * batch;
      const seconds = (performance.now() - began) / 1_000;
      missed += 2 * sent - applied - seen + Math.abs((await count()) - before - sent);
      if (run < 0) continue;
      rate.push(sent / seconds);
      cpu.push(sent / ((cpuMs(world.server.pid()) - used) / 1_000));
    }
    return [
      measure({
        id: 'B12',
        name: 'Mutations a second, 8 devices, batches of 50, durable PostgreSQL',
        unit: '/s',
        runs: rate,
        target: { words: '>= 3,000/s', atLeast: 3_000 },
      }),
      measure({ id: 'B12', name: '… for each second of CPU the server process used', unit: '/s', runs: cpu }),
      measure({
        id: 'B12',
        name: '… missed (not applied, not in PostgreSQL, or not sent back)',
        unit: '',
        runs: [missed],
        target: { words: '0', max: 0 },
      }),
    ];
  },
};
