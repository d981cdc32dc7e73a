import { fatesOf, routes } from '../network/link.ts';
import { steps, type StepContext } from './step.ts';

/** Signal comes back by itself, some time. Returns the seconds. */
function signalAgain({ world, device, chance }: StepContext): number {
  const seconds = 1 + chance.below(chance.below(4) === 0 ? 120 : 25);
  world.loop.after(seconds * 1_000, () => {
    if (device.link.state() === 'up') return;
    device.link.set('up');
    for (const tab of device.tabs) if (tab.proc.state === 'running') tab.sync.wakeUp('online');
  });
  return seconds;
}

/** What networks do. */
export const networkFaults = steps({
  'dooms the next request': {
    weight: 24,
    act: ({ device, chance, tab }) => {
      const route = chance.below(3) === 0 ? chance.pick(routes) : 'exchange';
      const fate = chance.pick(fatesOf[route]);
      device.link.doom(route, fate);
      tab?.sync.wakeUp('online');
      return `next request (${route}): ${fate}`;
    },
  },
  'loses signal': {
    weight: 3,
    act: (context) => {
      context.device.link.set('down');
      context.world.counters.count('fault: no signal');
      return `loses signal for ${signalAgain(context)} s`;
    },
  },
  'is heard but hears nothing': {
    weight: 2,
    act: (context) => {
      context.device.link.set('deaf');
      return `is heard but hears nothing for ${signalAgain(context)} s`;
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
