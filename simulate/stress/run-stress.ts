import { Agent } from 'node:http';
import { sql as rawSql } from 'kysely';
import type { Database } from '../../sync-server/db/database.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import { askOver } from './ask.ts';
import { recordHistory } from './audit.ts';
import { openBalancer } from './balancer.ts';
import { createLoad, type Member } from './load.ts';
import { hostedEnvironment, tokenFor } from './hosted-sign-in.ts';
import { openInstance } from './instance.ts';
import { checkHistories } from './check-histories.ts';
import { listenForPokes, type PokeListener } from './poke-listener.ts';

export interface StressPlan {
  /** A database of the run's own, over connections that are not named `dwang`, and its address for the servers. */
  database: Database;
  url: string;
  servers: number;
  people: number;
  /** The run goes on until so many changes were made, servers killed and database connections cut. */
  changes: number;
  kills: number;
  cuts: number;
  seed: number;
  say: (line: string) => void;
}

export interface StressReport {
  faults: string[];
  changes: number;
  applied: number;
  refused: number;
  kills: number;
  cuts: number;
  /** Attempts of devices that were not answered, by status; 0: no answer at all. */
  failures: Record<string, number>;
  pokes: number;
  seconds: number;
}

/**
 * Changes decided between two kills, and between two cuts: under load by the number of things done, not by the clock.
 */
const pace = { kill: 60, cut: 25 };

const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Real server processes, a balancer, devices that write all the time; servers are killed and connections cut under
 * them.
 */
export async function runStress({
  database,
  url,
  servers,
  people,
  changes,
  kills,
  cuts,
  seed,
  say,
}: StressPlan): Promise<StressReport> {
  const began = performance.now();
  const instances = await Promise.all(
    Array.from({ length: servers }, () => openInstance({ ...hostedEnvironment, DATABASE_URL: url })),
  );
  await Promise.all(instances.map((instance) => instance.start()));
  say(`${servers} servers are ready`);
  await recordHistory(database.sql);
  const balancer = await openBalancer(instances.map(({ port }) => port));
  const agent = new Agent({ keepAlive: true });
  const members = await createLoad({
    database,
    people,
    seed,
    askAs: async (userId) => askOver(balancer.origin, await tokenFor(userId), agent),
  });
  const decided = () => members.reduce((sum, { device }) => sum + device.journal.length - device.waiting(), 0);
  const made = () => members.reduce((sum, { device }) => sum + device.journal.length, 0);

  const random = seededRandom(seed);
  let killed = 0;
  let cut = 0;
  const isOver = () => killed >= kills && cut >= cuts && made() >= changes;

  async function killer(): Promise<void> {
    for (let next = decided() + pace.kill; killed < kills; next = decided() + pace.kill) {
      while (decided() < next) await rest(20);
      const victim = random.pick(instances);
      await victim.end('SIGKILL');
      killed += 1;
      say(`killed server ${instances.indexOf(victim) + 1} (${killed} of ${kills}) after ${decided()} changes`);
      await victim.start();
    }
  }

  async function cutter(): Promise<void> {
    for (let next = decided() + pace.cut; cut < cuts; next = decided() + pace.cut) {
      while (decided() < next) await rest(5);
      // A server at work is chosen rather than one at rest, and now and then the one that listens.
      const { rows } = await rawSql<{
        ended: boolean;
      }>`select pg_terminate_backend(pid) as ended from (select pid from pg_stat_activity
        where datname = current_database() and application_name in ('dwang', 'dwang listen')
        order by (state <> 'idle' and random() < 0.8) desc, random() limit 1) chosen`.execute(database.sql);
      cut += rows.filter(({ ended }) => ended).length;
    }
  }

  const listeners: PokeListener[] = [];
  const proc = async (member: Member): Promise<void> => {
    let wake = () => undefined as void;
    const listener = listenForPokes(balancer.origin, await tokenFor(member.device.userId), false, () => wake());
    listeners.push(listener);
    while (!isOver()) {
      // A device far behind does not go on typing for ever.
      if (member.device.waiting() < 40) for (let tap = member.random.below(6); tap > 0; tap -= 1) member.person.tap();
      const isAnswered = await member.device.exchange({
        max: 1 + member.random.below(30),
        twice: member.random.next() < 0.1,
      });
      if (!isAnswered) await rest(member.random.below(60));
      else await Promise.race([rest(member.random.below(40)), new Promise<void>((resolve) => (wake = resolve))]);
    }
    // The device syncs by itself, with no tap, until it knows what became of everything.
    while (member.device.waiting() > 0) if (!(await member.device.exchange())) await rest(50);
  };
  await Promise.all([killer(), cutter(), ...members.map(proc)]);
  // This fetches what others did last.
  for (const { device } of members) while (!(await device.exchange())) await rest(50);
  for (const listener of listeners) listener.close();

  const faults = await checkHistories(
    database.sql,
    members.map(({ device }) => device),
  );
  for (const instance of instances) {
    const code = await instance.end('SIGTERM');
    if (code !== 0) faults.push(`a server ended with ${String(code)} when it was asked to stop: ${instance.said()}`);
  }
  await balancer.close();
  agent.destroy();
  const told = members.flatMap(({ device }) => device.journal.map((entry) => entry.told?.status));
  const failures = Object.groupBy(
    members.flatMap(({ device }) => device.failures),
    ({ status }) => String(status),
  );
  return {
    faults,
    changes: made(),
    applied: told.filter((status) => status === 'applied').length,
    refused: told.filter((status) => status === 'refused').length,
    kills: killed,
    cuts: cut,
    failures: Object.fromEntries(Object.entries(failures).map(([status, list]) => [status, list?.length ?? 0])),
    pokes: listeners.reduce((sum, listener) => sum + listener.heard(), 0),
    seconds: Math.round((performance.now() - began) / 1000),
  };
}
