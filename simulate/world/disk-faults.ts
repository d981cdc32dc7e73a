import { personDbName } from '../../app/db/person-db.ts';
import { nameOn } from '../device/device.ts';
import { closeHung, toTheDisk } from './kill.ts';
import { comeBack } from './sessions.ts';
import { steps } from './step.ts';

/** What disks do. */
export const diskFaults = steps({
  'fails a write': {
    weight: 4,
    act: ({ device, chance }) => {
      const kind = chance.pick(['error', 'quota', 'quota-at-commit'] as const);
      device.disk.arm({ kind, at: 'writes', after: chance.below(12) });
      return `the disk fails a write (${kind})`;
    },
  },
  'fails whatever is asked': {
    weight: 3,
    act: ({ device, chance }) => {
      device.disk.arm({ kind: 'error', at: 'anything', after: chance.below(200) });
      return 'the disk fails, whatever it is asked just then';
    },
  },
  hangs: {
    weight: 2,
    act: (context) => {
      const { device, chance, world } = context;
      device.disk.arm({ kind: 'hang', at: 'anything', after: chance.below(60) });
      // The person closes the tab at last, and opens the app anew.
      world.loop.after(20_000 + chance.below(120_000), () => closeHung(world, device));
      return 'something is asked of the disk that is never answered';
    },
  },
  'loses the connection': {
    weight: 2,
    act: ({ tab, device, world }) => {
      if (tab === undefined) return undefined;
      device.disk.lose(tab.proc);
      world.counters.count('fault: disk connection lost');
      return 'the connection to the disk is lost';
    },
  },
  'cuts the power': {
    weight: 2,
    act: (context) => {
      toTheDisk(context, () => {
        const lost = context.device.disk.powerCut();
        context.world.checker.diskChanged(context.device, 'powerless');
        context.world.counters.count(lost > 0 ? 'fault: power cut with unflushed writes' : 'fault: power cut');
      });
      return 'the power is cut';
    },
  },
  'copies the profile': {
    weight: 2,
    act: ({ device }) => ((device.backup = device.disk.copy()), 'a copy of the browser’s profile is made'),
  },
  'rolls back': {
    weight: 2,
    act: (context) => {
      const { device, world } = context;
      const copy = device.backup;
      if (copy === undefined) return undefined;
      toTheDisk(context, () => {
        device.disk.restore(copy);
        world.checker.diskChanged(device, 'rolled back');
        comeBack(context);
      });
      world.counters.count('fault: profile rolled back');
      return 'an old copy of the profile is restored';
    },
  },
  'loses one database': {
    weight: 1,
    act: (context) => {
      const { device, world } = context;
      const { userId } = device;
      toTheDisk(context, () => {
        device.disk.wipe(nameOn(device, personDbName(userId)));
        world.checker.diskChanged(device, 'wiped', [userId]);
      });
      world.counters.count('fault: one database thrown away');
      return 'the browser throws one person’s database away, and nothing else';
    },
  },
  wipes: {
    weight: 1,
    act: (context) => {
      toTheDisk(context, () => {
        context.device.disk.wipe();
        context.world.checker.diskChanged(context.device, 'wiped');
        comeBack(context);
      });
      context.world.counters.count('fault: disk wiped');
      return 'the browser throws its data away';
    },
  },
});
