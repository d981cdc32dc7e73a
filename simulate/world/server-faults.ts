import { day } from '../../shared/lib/durations.ts';
import { purgeTombstones } from '../../sync-server/sync/purge-tombstones.ts';
import { failOver } from './fail-over.ts';
import { steps } from './step.ts';

const year = 365 * day;

/**
 * Codes of "not now": serialisation, deadlock, lock not available, cancelled, shutting down, no connection left,
 * connection lost (by SQLSTATE, by socket).
 */
export const transient = ['40001', '40P01', '55P03', '57014', '57P01', '53300', '08006', 'ECONNRESET'] as const;

/** What servers and their operators do. */
export const serverFaults = steps({
  'kills a server': {
    weight: 4,
    act: ({ world, chance }) => {
      const running = world.cluster.running();
      if (running.length === 0) return undefined;
      world.cluster.kill(chance.pick(running));
      world.loop.after(200 + chance.below(20_000), world.cluster.start);
      world.counters.count('fault: server killed at an await');
      return 'a server process is killed';
    },
  },
  'kills a server in the middle': {
    weight: 4,
    act: ({ world, chance }) => {
      world.backend.arm({
        code: 'kill',
        at: chance.pick(['call', 'call', 'commit', 'committed'] as const),
        after: chance.below(20),
      });
      return 'a server process is about to be killed in the middle of its work';
    },
  },
  'releases another version': {
    weight: 2,
    act: ({ world, chance }) => {
      const running = world.cluster.running();
      if (running.length === 0) return undefined;
      const old = chance.pick(running);
      const release = old.schemaShift === 0 ? 'other' : 'usual';
      world.cluster.kill(old);
      world.loop.after(500, () => world.cluster.start(release));
      world.counters.count('fault: servers of two versions');
      return `a server is replaced by one of ${release === 'other' ? 'another' : 'the usual'} release`;
    },
  },
  'fails the database': {
    weight: 7,
    act: ({ world, chance }) => {
      const code = chance.pick(transient);
      const at = chance.pick(['call', 'call', 'commit', 'committed'] as const);
      world.backend.arm({ code: at === 'committed' ? '08006' : code, at, after: chance.below(14) });
      return `the database answers ${code} (${at})`;
    },
  },
  'slows the database': {
    weight: 4,
    act: ({ world, chance }) => {
      const [seconds, maxMs] = [2 + chance.below(20), 50 + chance.below(400)];
      world.backend.dawdle(seconds * 1_000, maxMs);
      world.counters.count('fault: slow database');
      return `the database is slow for ${seconds} s`;
    },
  },
  'deafens a server': {
    weight: 3,
    act: ({ world, chance }) => {
      const running = world.cluster.running();
      if (running.length === 0) return undefined;
      const seconds = 20 + chance.below(280);
      world.backend.deafen(chance.pick(running).proc, seconds * 1_000);
      world.counters.count('fault: a listening connection is deaf');
      return `a server’s listening connection is deaf for ${seconds} s`;
    },
  },
  'silences a server’s connections': {
    weight: 1,
    act: ({ world, chance }) => {
      const running = world.cluster.running();
      if (running.length === 0) return undefined;
      const seconds = 2 + chance.below(40);
      world.backend.silence(chance.pick(running).proc, seconds * 1_000);
      world.counters.count('fault: connections to the database are silent');
      return `a server’s connections to the database are silent for ${seconds} s`;
    },
  },
  'makes the database read-only': {
    weight: 1,
    act: ({ world, chance }) => {
      const seconds = 2 + chance.below(40);
      world.backend.makeReadOnly(seconds * 1_000);
      world.counters.count('fault: read-only database');
      return `the database takes no writes for ${seconds} s`;
    },
  },
  'lapses and returns': {
    weight: 4,
    act: async ({ world, chance }) => {
      const id = chance.pick([world.people.wiremu, world.people.mere]);
      const hasOne = chance.below(2) === 0;
      const inAMoment = new Date(world.now().getTime() + 1_000 + chance.below(60_000)).toISOString();
      const ends = hasOne && chance.below(2) === 0;
      void world
        .system(async (tx) => {
          const person = await tx.hold('users', id);
          if (person !== undefined)
            await tx.update('users', person, {
              subscriptionStatus: hasOne ? 'active' : 'canceled',
              subscriptionValidUntil: ends ? inAMoment : null,
            });
        })
        .catch(() => world.counters.count('the system could not write'));
      world.counters.count(
        hasOne
          ? ends
            ? 'fault: subscription runs out by itself'
            : 'fault: subscription returns'
          : 'fault: subscription lapses',
      );
      return hasOne
        ? ends
          ? 'a tradie’s subscription is about to run out'
          : 'a tradie’s subscription returns'
        : 'a tradie’s subscription lapses';
    },
  },
  'takes a job away': {
    weight: 2,
    act: async ({ world, chance }) => {
      const jobs = [...(world.backend.committed().get('jobs')?.keys() ?? [])];
      if (jobs.length === 0) return undefined;
      const jobId = chance.pick(jobs);
      world.checker.jobRemoved(jobId);
      world.backend.removeJob(jobId).catch(() => world.counters.count('the operator could not write'));
      world.counters.count('fault: a job is taken away by an operator');
      return `an operator takes job …${jobId.slice(-4)} away`;
    },
  },
  'forgets removals': {
    weight: 2,
    act: async ({ world }) => {
      const [instance] = world.cluster.running();
      if (instance === undefined) return undefined;
      void purgeTombstones({ ...instance.parts, clock: () => new Date(world.now().getTime() + year) }).catch(() =>
        world.counters.count('purge failed'),
      );
      world.counters.count('fault: tombstones purged');
      return 'old removals are forgotten';
    },
  },
  'builds due snapshots': {
    weight: 4,
    act: async ({ world }) => {
      const [instance] = world.cluster.running();
      if (instance === undefined) return undefined;
      void instance.collections.buildDueSnapshots().catch(() => world.counters.count('building a snapshot failed'));
      return 'the due snapshots are built';
    },
  },
  ...failOver,
  'backs up': { weight: 2, act: async ({ world }) => (await world.backend.backup(), 'the database is backed up') },
  restores: {
    weight: 1,
    act: async ({ world }) => {
      for (const instance of Array.from(world.cluster.running())) world.cluster.kill(instance);
      const old = await world.backend.restore();
      if (old !== undefined) {
        world.checker.databaseRestored();
        world.counters.count('fault: database restored from a backup');
      }
      world.loop.after(300, world.cluster.start);
      world.loop.after(900, world.cluster.start);
      return old === undefined ? 'all servers are restarted' : 'the database is restored from its backup';
    },
  },
});
