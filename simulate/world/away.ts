import { day } from '../../shared/lib/durations.ts';
import type { Device } from '../device/device.ts';
import { killAll } from './kill.ts';
import { steps } from './step.ts';
import type { World } from './world.ts';

/** Virtual time: a journal keeps what it has for 30 days (C16). */
const maxMs = 20 * day;

/** The device is in use again: what the server's database has been through meanwhile. */
export function isBack(
  { loop, counters, checker }: Pick<World, 'loop' | 'counters' | 'checker'>,
  device: Device,
): void {
  const { away } = device;
  device.away = undefined;
  if (away === undefined || loop.now() - away.since < day) return;
  const timelines = checker.timelines() - away.timelines;
  counters.count('a device was away for days');
  if (timelines > 0) counters.count('a device was away for days over a restore or a promotion');
  if (timelines > 1) counters.count('a device was away for days over several of them');
}

/** What was about to open the app on a device that is away does not. */
export function keepAway(world: World): void {
  for (const device of world.devices)
    if (device.away !== undefined && device.pages.length + device.workers.length > 0) killAll({ world, device });
}

/** Days go by, and some devices are not there for any of them. */
export const days = steps({
  'is put away for days': {
    weight: 1.5,
    act: ({ world, device }) => {
      const others = world.devices.filter(({ away }) => away === undefined);
      if (device.away !== undefined || others.length < 3) return undefined;
      device.away = { since: world.loop.now(), timelines: world.checker.timelines() };
      keepAway(world);
      return 'is switched off, for days';
    },
  },
  'is there again': {
    weight: 1.5,
    act: ({ world, chance }) => {
      const long = world.devices.filter(({ away }) => away !== undefined && world.loop.now() - away.since >= day);
      if (long.length === 0) return undefined;
      const device = chance.pick(long);
      isBack(world, device);
      world.openPage(device);
      return `${device.name} is switched on after days`;
    },
  },
  'days pass': {
    weight: 1,
    act: ({ world, chance }) => {
      const count = 1 + chance.below(4);
      if (world.loop.now() + count * day > maxMs) return undefined;
      // Whatever is open sleeps with its machine; a server that runs through it would only look at the clock.
      for (const instance of Array.from(world.cluster.running())) world.cluster.kill(instance);
      world.loop.sleep(count * day);
      world.loop.after(300, world.cluster.start);
      world.loop.after(600, world.cluster.start);
      world.counters.count('fault: days pass');
      return `${count} days pass`;
    },
  },
});
