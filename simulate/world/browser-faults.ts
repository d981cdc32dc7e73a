import { day } from '../../shared/lib/durations.ts';
import { becomesVisible } from '../device/device.ts';
import { kill, killAll, toTheDisk } from './kill.ts';
import { people } from './people.ts';
import { steps, type StepContext } from './step.ts';

const year = 365 * day;

function thaw({ world, device }: StepContext): number {
  const frozen = device.tabs.filter((tab) => tab.proc.state === 'frozen' && tab.proc.isAsleep !== true);
  for (const tab of frozen) {
    world.loop.thaw(tab.proc);
    tab.isVisible = true;
    becomesVisible(tab);
    world.counters.count('fault: frozen tab thawed');
  }
  return frozen.length;
}

/** What browsers do. */
export const browserFaults = steps({
  'opens a tab': {
    weight: 4,
    act: ({ world, device }) => {
      if (device.pages.length >= 3) return undefined;
      for (const tab of device.tabs) tab.isVisible = false;
      world.openPage(device);
      return 'opens a tab';
    },
  },
  'closes a tab': {
    weight: 2,
    act: (context) => {
      const { tab, world, device } = context;
      if (tab === undefined || device.pages.length < 2) return undefined;
      void tab.sync.stop();
      tab.photoUploads.stop();
      tab.collections.stop();
      world.loop.after(50, () => kill(context, tab.page));
      return 'closes a tab properly';
    },
  },
  'kills a tab': {
    weight: 6,
    act: (context) => {
      if (context.tab === undefined) return undefined;
      kill(context, context.tab.page);
      context.world.counters.count('fault: tab killed at an await');
      return 'a tab is killed where it stands';
    },
  },
  'is killed in the middle': {
    weight: 8,
    act: (context) => {
      const { tab, world, device, chance } = context;
      if (tab === undefined || tab.proc.fuse !== undefined) return undefined;
      const act = chance.pick([
        'posts a job',
        'edits a job',
        'expresses interest',
        'adds a photo',
        'cancels what waits',
      ] as const);
      const did = people[act]?.act({ ...context, tab }) as string | undefined;
      tab.sync.sendNow();
      const awaits = 1 + chance.below(150);
      tab.proc.fuse = {
        left: awaits,
        burn: () => {
          if (tab.proc.state === 'dead') return;
          world.counters.count('fault: tab killed at an await');
          if (device.disk.isWriting(tab.proc)) world.counters.count('fault: tab killed in the middle of a transaction');
          kill(context, tab.page);
        },
      };
      return `${did === undefined ? '' : `${did}, and `}the tab is killed ${awaits} awaits later`;
    },
  },
  'kills the browser': {
    weight: 4,
    act: (context) => {
      if (context.device.pages.length === 0) return undefined;
      toTheDisk(context, () => {});
      context.world.counters.count('fault: browser killed');
      return 'the browser is killed and opened again';
    },
  },
  'freezes the leader': {
    weight: 5,
    act: (context) => {
      const { device, world, chance } = context;
      const leader = device.tabs.find((tab) => tab.proc.state === 'running' && tab.sync.status.current().isLeader);
      if (leader === undefined) return undefined;
      // Half of the faults come with a request under way.
      leader.sync.sendNow();
      world.loop.after(chance.below(150), () => {
        if (leader.proc.state !== 'running') return;
        leader.proc.state = 'frozen';
        leader.isVisible = false;
        const next = device.tabs.find((tab) => tab.proc.state === 'running');
        if (next === undefined) world.openPage(device);
        else next.isVisible = true;
        world.counters.count('fault: leader frozen');
      });
      const seconds = 5 + chance.below(60);
      world.loop.after(seconds * 1_000, () => void thaw(context));
      return `the leading tab is frozen for ${seconds} s, another is looked at`;
    },
  },
  'sleeps for minutes': {
    weight: 2,
    act: ({ tab, world, chance }) => {
      if (tab === undefined) return undefined;
      tab.sync.sendNow();
      world.loop.after(chance.below(150), () => {
        if (tab.proc.state !== 'running') return;
        Object.assign(tab.proc, { state: 'frozen', isAsleep: true });
        tab.isVisible = false;
      });
      const minutes = 1 + chance.below(chance.below(2) === 0 ? 4 : 20);
      world.loop.after(minutes * 60_000, () => {
        if (tab.proc.state !== 'frozen' || tab.proc.isAsleep !== true) return;
        tab.proc.isAsleep = false;
        world.loop.thaw(tab.proc);
        tab.isVisible = true;
        becomesVisible(tab);
        world.counters.count('fault: tab frozen for minutes');
      });
      return `a tab is frozen for ${minutes} min`;
    },
  },
  'wakes the worker': {
    weight: 3,
    act: (context) => {
      const { device, world, chance } = context;
      if (device.workers.length > 0) return undefined;
      const isClosed = chance.below(2) === 0;
      // A write was just saved, and perhaps not sent.
      if (isClosed) void people['posts a job'].act(context);
      const endsAfter = chance.below(3) === 0 ? chance.below(300) : undefined;
      world.loop.after(chance.below(100), () => {
        if (isClosed) killAll(context);
        world.loop.after(50, () => device.workers.length === 0 && world.wakeWorker(device, endsAfter));
      });
      if (isClosed)
        world.loop.after(5_000 + chance.below(60_000), () => device.pages.length === 0 && world.openPage(device));
      world.counters.count('fault: background sync');
      return `the worker is woken${isClosed ? ', with the app closed' : ''}${endsAfter === undefined ? '' : `, and ended ${endsAfter} ms later`}`;
    },
  },
  thaws: { weight: 1, act: (context) => (thaw(context) === 0 ? undefined : 'a frozen tab thaws') },
  'shows another tab': {
    weight: 2,
    act: ({ device, chance }) => {
      if (device.tabs.length === 0) return undefined;
      const shown = chance.pick(device.tabs);
      for (const tab of device.tabs) tab.isVisible = tab === shown && tab.proc.state === 'running';
      if (shown.isVisible) becomesVisible(shown);
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
  'changes the app’s version': {
    weight: 2,
    act: (context) => {
      const { device, world, chance } = context;
      device.isOldApp = !device.isOldApp;
      const named = device.isOldApp ? 'an older app' : 'the newer app';
      world.counters.count('fault: app of another version');
      if (device.pages.length > 0 && device.pages.length < 3 && chance.below(2) === 0) {
        for (const tab of device.tabs) tab.isVisible = false;
        world.openPage(device);
        world.counters.count('fault: tabs of two versions');
        return `${named} is opened in a tab beside the other`;
      }
      toTheDisk(context, () => {});
      return `${named} is started`;
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
