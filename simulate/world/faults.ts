import { purgeTombstones } from '../../sync-server/sync/purge-tombstones.ts';
import { killTab, type Tab } from '../device/device.ts';
import { fates } from '../network/link.ts';
import { on, steps, type Scene } from './step.ts';

const year = 365 * 24 * 3_600_000;

/** Kills, or as soon as the database it is opening is open. */
function kill({ world }: Scene, tab: Tab): void {
  if (tab.life.state === 'dead' || killTab(tab)) return;
  world.loop.after(3, () => kill({ world } as Scene, tab));
}

function killAll(scene: Scene): void {
  for (const tab of Array.from(scene.device.tabs)) kill(scene, tab);
}

/** Once no program runs on the device: what happens to its disk, and then the app is opened again. */
function toTheDisk(scene: Scene, act: () => void): void {
  const { world, device } = scene;
  killAll(scene);
  const tryIt = () => {
    if (device.tabs.length > 0) return void world.loop.after(3, tryIt);
    act();
    world.loop.after(200, () => device.tabs.length === 0 && world.openTab(device));
  };
  tryIt();
}

/** Signal comes back by itself, some time. Gives the seconds. */
function signalAgain({ world, device, chance }: Scene): number {
  const seconds = 1 + chance.below(chance.below(4) === 0 ? 120 : 25);
  world.loop.after(seconds * 1_000, () => {
    if (device.link.state() === 'up') return;
    device.link.set('up');
    for (const tab of device.tabs) if (tab.life.state === 'running') tab.sync.wakeUp('online');
  });
  return seconds;
}

function thaw({ world, device }: Scene): number {
  const frozen = device.tabs.filter((tab) => tab.life.state === 'frozen');
  for (const tab of frozen) {
    world.loop.thaw(tab.life);
    tab.isVisible = true;
    tab.sync.wakeUp('visible');
    world.counters.count('fault: frozen tab thawed');
  }
  return frozen.length;
}

/** What networks do. */
export const networkFaults = steps({
  'dooms the next request': {
    weight: 24,
    act: ({ device, chance, tab }) => {
      const fate = chance.pick(fates);
      device.link.doom(fate);
      tab?.sync.wakeUp('online');
      return `next request: ${fate}`;
    },
  },
  'loses signal': {
    weight: 3,
    act: (scene) => {
      scene.device.link.set('down');
      scene.world.counters.count('fault: no signal');
      return `loses signal for ${signalAgain(scene)} s`;
    },
  },
  'is heard but hears nothing': {
    weight: 2,
    act: (scene) => {
      scene.device.link.set('deaf');
      return `is heard but hears nothing for ${signalAgain(scene)} s`;
    },
  },
  'has signal again': {
    weight: 2,
    act: ({ device, tab }) => {
      if (device.link.state() === 'up') return undefined;
      device.link.set('up');
      tab?.sync.wakeUp('online');
      return 'has signal again';
    },
  },
});

/** What browsers do. */
export const browserFaults = steps({
  'opens a tab': {
    weight: 4,
    act: ({ world, device }) => {
      if (device.tabs.length >= 3) return undefined;
      for (const tab of device.tabs) tab.isVisible = false;
      world.openTab(device);
      return 'opens a tab';
    },
  },
  'closes a tab': {
    weight: 2,
    act: ({ tab, world, device }) => {
      if (tab === undefined || device.tabs.length < 2) return undefined;
      void tab.sync.stop();
      tab.lane.stop();
      tab.shelves.stop();
      world.loop.after(50, () => killTab(tab) || world.loop.after(20, () => killTab(tab)));
      return 'closes a tab properly';
    },
  },
  'kills a tab': {
    weight: 6,
    act: (scene) => {
      if (scene.tab === undefined) return undefined;
      kill(scene, scene.tab);
      scene.world.counters.count('fault: tab killed at an await');
      return 'a tab is killed where it stands';
    },
  },
  'kills the browser': {
    weight: 4,
    act: (scene) => {
      if (scene.device.tabs.length === 0) return undefined;
      toTheDisk(scene, () => {});
      scene.world.counters.count('fault: browser killed');
      return 'the browser is killed and opened again';
    },
  },
  'freezes the leader': {
    weight: 5,
    act: (scene) => {
      const { device, world, chance } = scene;
      const leader = device.tabs.find((tab) => tab.life.state === 'running' && tab.sync.status.get().isLeader);
      if (leader === undefined) return undefined;
      // With a question on its way, as often as not.
      leader.sync.sendNow();
      world.loop.after(chance.below(150), () => {
        if (leader.life.state !== 'running') return;
        leader.life.state = 'frozen';
        leader.isVisible = false;
        const next = device.tabs.find((tab) => tab.life.state === 'running');
        if (next === undefined) world.openTab(device);
        else next.isVisible = true;
        world.counters.count('fault: leader frozen');
      });
      const seconds = 5 + chance.below(60);
      world.loop.after(seconds * 1_000, () => void thaw(scene));
      return `the leading tab is frozen for ${seconds} s, another is looked at`;
    },
  },
  'thaws': { weight: 1, act: (scene) => (thaw(scene) === 0 ? undefined : 'a frozen tab thaws') },
  'shows another tab': {
    weight: 2,
    act: ({ device, chance }) => {
      if (device.tabs.length === 0) return undefined;
      const shown = chance.pick(device.tabs);
      for (const tab of device.tabs) tab.isVisible = tab === shown && tab.life.state === 'running';
      if (shown.isVisible) shown.sync.wakeUp('visible');
      return 'another tab is looked at';
    },
  },
  'steals the lock': {
    weight: 2,
    act: ({ device, world }) => {
      if (device.locks.stealFromAll() === 0) return undefined;
      world.counters.count('fault: lock stolen');
      return 'the lock is stolen';
    },
  },
  'changes the person': {
    weight: 2,
    devices: on.shared,
    act: (scene) => {
      const { device, world } = scene;
      if (device.people.length < 2) return undefined;
      const next = device.people.find((person) => person !== device.userId)!;
      killAll(scene);
      device.userId = next;
      const open = () => void (device.tabs.some((tab) => tab.userId !== next) ? world.loop.after(5, open) : world.openTab(device));
      world.loop.after(100, open);
      world.counters.count('fault: another person signed in on the device');
      return 'another person signs in on this device';
    },
  },
  'changes the app’s version': {
    weight: 2,
    act: (scene) => {
      scene.device.isOldApp = !scene.device.isOldApp;
      toTheDisk(scene, () => {});
      scene.world.counters.count('fault: app of another version');
      return scene.device.isOldApp ? 'an older app is started' : 'the app is updated';
    },
  },
  'sets the clock wrong': {
    weight: 2,
    act: ({ device, chance, world }) => {
      device.skew = chance.pick([0, year, -year]);
      world.counters.count('fault: clock a year out');
      return `the clock is ${device.skew === 0 ? 'right' : device.skew > 0 ? 'a year ahead' : 'a year behind'}`;
    },
  },
});

/** What disks do. */
export const diskFaults = steps({
  'fails a write': {
    weight: 4,
    act: ({ device, chance }) => {
      const kind = chance.pick(['error', 'quota', 'quota-at-commit'] as const);
      device.disk.arm({ kind, after: chance.below(12) });
      return `the disk fails a write (${kind})`;
    },
  },
  'loses the connection': {
    weight: 2,
    act: ({ tab, device, world }) => {
      if (tab === undefined) return undefined;
      device.disk.lose(tab.life);
      world.counters.count('fault: disk connection lost');
      return 'the connection to the disk is lost';
    },
  },
  'cuts the power': {
    weight: 2,
    act: (scene) => {
      toTheDisk(scene, () => {
        const lost = scene.device.disk.powerCut();
        scene.world.judge.diskChanged(scene.device, 'powerless');
        scene.world.counters.count(lost > 0 ? 'fault: power cut with unflushed writes' : 'fault: power cut');
      });
      return 'the power is cut';
    },
  },
  'copies the profile': { weight: 2, act: ({ device }) => ((device.backup = device.disk.copy()), 'a copy of the browser’s profile is made') },
  'rolls back': {
    weight: 2,
    act: (scene) => {
      const { device, world } = scene;
      const copy = device.backup;
      if (copy === undefined) return undefined;
      toTheDisk(scene, () => {
        device.disk.restore(copy);
        world.judge.diskChanged(device, 'rolled back');
      });
      world.counters.count('fault: profile rolled back');
      return 'an old copy of the profile is put back';
    },
  },
  'wipes': {
    weight: 1,
    act: (scene) => {
      toTheDisk(scene, () => {
        scene.device.disk.wipe();
        scene.world.judge.diskChanged(scene.device, 'wiped');
      });
      scene.world.counters.count('fault: disk wiped');
      return 'the browser throws its data away';
    },
  },
});

/** SQLSTATEs of "not now": serialisation, deadlock, cancelled, shutting down, no connection left, connection lost. */
const transient = ['40001', '40P01', '57014', '57P01', '53300', '08006'] as const;

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
  'fails the database': {
    weight: 7,
    act: ({ world, chance }) => {
      const code = chance.pick(transient);
      const at = chance.pick(['statement', 'statement', 'commit', 'committed'] as const);
      world.backend.arm({ code: at === 'committed' ? '08006' : code, at, after: chance.below(14) });
      return `the database answers ${code} (${at})`;
    },
  },
  'slows the database': {
    weight: 4,
    act: ({ world, chance }) => {
      const [seconds, mostMs] = [2 + chance.below(20), 50 + chance.below(400)];
      world.backend.dawdle(seconds * 1_000, mostMs);
      world.counters.count('fault: slow database');
      return `the database dawdles for ${seconds} s`;
    },
  },
  'lapses and returns': {
    weight: 4,
    act: async ({ world, chance }) => {
      const id = chance.pick([world.people.wiremu, world.people.mere]);
      const hasOne = chance.below(2) === 0;
      const inAMoment = new Date(world.now().getTime() + 1_000 + chance.below(60_000)).toISOString();
      const ends = hasOne && chance.below(2) === 0;
      void world.system(async (tx) => {
        const person = await tx.hold('users', id);
        if (person !== undefined) await tx.update('users', person, { subscriptionStatus: hasOne ? 'active' : 'canceled', subscriptionValidUntil: ends ? inAMoment : null });
      }).catch(() => world.counters.count('the system could not write'));
      world.counters.count(hasOne ? (ends ? 'fault: subscription runs out by itself' : 'fault: subscription returns') : 'fault: subscription lapses');
      return hasOne ? (ends ? 'a tradie’s subscription is about to run out' : 'a tradie’s subscription returns') : 'a tradie’s subscription lapses';
    },
  },
  'takes a job away': {
    weight: 2,
    act: async ({ world, chance }) => {
      const jobs = [...(world.backend.committed().get('jobs')?.keys() ?? [])];
      if (jobs.length === 0) return undefined;
      const jobId = chance.pick(jobs);
      world.judge.jobRemoved(jobId);
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
      void purgeTombstones({ ...instance.parts, clock: () => new Date(world.now().getTime() + year) }).catch(() => world.counters.count('purge failed'));
      world.counters.count('fault: tombstones purged');
      return 'old removals are forgotten';
    },
  },
  'seals the shelves': {
    weight: 4,
    act: async ({ world }) => {
      const [instance] = world.cluster.running();
      if (instance === undefined) return undefined;
      void instance.shelves.sealDue().catch(() => world.counters.count('sealing failed'));
      return 'the shelves are sealed';
    },
  },
  'backs up': { weight: 2, act: async ({ world }) => (await world.backend.backup(), 'the database is backed up') },
  'restores': {
    weight: 1,
    act: async ({ world }) => {
      for (const instance of Array.from(world.cluster.running())) world.cluster.kill(instance);
      const old = await world.backend.restore();
      if (old !== undefined) {
        world.judge.databaseRestored();
        world.counters.count('fault: database restored from a backup');
      }
      world.loop.after(300, world.cluster.start);
      world.loop.after(900, world.cluster.start);
      return old === undefined ? 'all servers are restarted' : 'the database is restored from its backup';
    },
  },
  'expires tokens': {
    weight: 3,
    act: ({ world, device }) => {
      world.tokens.expire(device.userId);
      world.counters.count('fault: token expired');
      return 'the access token expires';
    },
  },
  'ends a session': {
    weight: 1,
    act: ({ world, device, chance }) => {
      const { userId } = device;
      world.tokens.end(userId);
      world.loop.after(1_000 + chance.below(90_000), () => world.tokens.signIn(userId));
      world.counters.count('fault: session ended');
      return 'the session is ended from elsewhere';
    },
  },
  'signs in again': {
    weight: 2,
    act: ({ world, device, tab }) => {
      world.tokens.signIn(device.userId);
      tab?.sync.wakeUp('signed-in');
      return 'signs in again';
    },
  },
});
