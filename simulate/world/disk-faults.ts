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
  'hangs': {
    weight: 2,
    act: (scene) => {
      const { device, chance, world } = scene;
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
        scene.world.checker.diskChanged(scene.device, 'powerless');
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
        world.checker.diskChanged(device, 'rolled back');
        comeBack(scene);
      });
      world.counters.count('fault: profile rolled back');
      return 'an old copy of the profile is put back';
    },
  },
  'loses one database': {
    weight: 1,
    act: (scene) => {
      const { device, world } = scene;
      const { userId } = device;
      toTheDisk(scene, () => {
        device.disk.wipe(nameOn(device, personDbName(userId)));
        world.checker.diskChanged(device, 'wiped', [userId]);
      });
      world.counters.count('fault: one database thrown away');
      return 'the browser throws one person’s database away, and nothing else';
    },
  },
  'wipes': {
    weight: 1,
    act: (scene) => {
      toTheDisk(scene, () => {
        scene.device.disk.wipe();
        scene.world.checker.diskChanged(scene.device, 'wiped');
        comeBack(scene);
      });
      scene.world.counters.count('fault: disk wiped');
      return 'the browser throws its data away';
    },
  },
});
