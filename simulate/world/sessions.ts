import { becomesVisible, type Page } from '../device/device.ts';
import { signIn } from './sign-in.ts';
import { on, steps, type StepContext } from './step.ts';

/** The visible page, opened where there is none. */
function pageAt({ world, device }: StepContext): Page {
  const running = device.pages.filter(({ proc }) => proc.state === 'running');
  return running.find(({ tab }) => tab?.isVisible === true) ?? running[0] ?? world.openPage(device);
}

/** A device without a signed-in person: its person signs in again after a while. */
export function comeBack(context: StepContext): void {
  const { device, world, chance } = context;
  world.loop.after(2_000 + chance.below(20_000), () => {
    const page = pageAt(context);
    if (page.session.state.current().kind === 'signed-out') signIn(world, page, device.userId);
  });
}

function otherOf({ device }: StepContext): string | undefined {
  return device.people.find((person) => person !== device.userId);
}

/** A tab falls asleep, half the time with a request under way, and wakes some time later. */
function sleepOne(context: StepContext): void {
  const { device, world, chance } = context;
  const sleeper = device.tabs.find(({ proc }) => proc.state === 'running');
  if (sleeper === undefined || chance.below(3) === 0) return;
  sleeper.sync.sendNow();
  world.loop.after(chance.below(150), () => {
    if (sleeper.proc.state !== 'running') return;
    sleeper.proc.state = 'frozen';
    world.counters.count('fault: a tab sleeps while another person comes');
  });
  world.loop.after(5_000 + chance.below(90_000), () => {
    world.loop.thaw(sleeper.proc);
    if (sleeper.proc.state === 'running') becomesVisible(sleeper);
  });
}

/** A page in which no tab sleeps, just after one may have fallen asleep. */
function inAnother(context: StepContext, act: (page: Page) => void): void {
  const { world, device } = context;
  world.loop.after(200, () => act(device.pages.find(({ proc }) => proc.state === 'running') ?? world.openPage(device)));
}

/** Another person who uses this device takes it, perhaps while a tab of the one before sleeps. */
function takesOver(context: StepContext, text: string, how: (next: string) => void): string | undefined {
  const next = otherOf(context);
  if (next === undefined) return undefined;
  sleepOne(context);
  how(next);
  context.world.counters.count('fault: another person signed in on the device');
  return text;
}

/** How people sign in and out on a device, and how sessions end. */
export const sessions = steps({
  'logs out, and another comes': {
    weight: 1,
    devices: on.shared,
    act: (context) => {
      const { device, world, chance } = context;
      const next = otherOf(context);
      const leaver = device.tabs.find(({ proc, userId }) => proc.state === 'running' && userId === device.userId);
      if (next === undefined || leaver === undefined) return undefined;
      const { userId, page } = leaver;
      world.checker.leaves(device, userId);
      page.session.signOut(userId).then(
        () => {
          world.counters.count('fault: logged out');
          world.checker.left(device, userId);
        },
        () => world.counters.count('a log-out is to be finished later'),
      );
      world.loop.after(1_000 + chance.below(20_000), () => {
        device.userId = next;
        inAnother(context, (at) => signIn(world, at, next));
      });
      return 'logs out, and another person signs in';
    },
  },
  'opens the other’s mailed link': {
    weight: 1.5,
    devices: on.shared,
    act: (context) =>
      takesOver(context, 'the other person opens a mailed link in another tab', (next) =>
        inAnother(context, () => {
          const { device, world } = context;
          if (device.pages.length >= 4) return;
          const page = world.openPage(device);
          world.checker.comes(device, next);
          page.openLink(world.auth.mailLink(next)).then(
            () => world.checker.came(device, next),
            () => world.counters.count('could not sign in'),
          );
        }),
      ),
  },
  'takes over an ended session': {
    weight: 1.5,
    devices: on.shared,
    act: (context) =>
      takesOver(context, 'the session ends, and another person signs in', (next) => {
        const { device, world } = context;
        world.auth.end(device.userId);
        inAnother(context, (page) => {
          page.tab?.sync.sendNow();
          world.loop.after(4_000, () => page.proc.state === 'running' && signIn(world, page, next));
        });
      }),
  },
  'expires tokens': {
    weight: 3,
    act: ({ world, device }) => {
      world.auth.expire(device.userId);
      world.counters.count('fault: token expired');
      return 'the access token expires';
    },
  },
  'ends a session': {
    weight: 1,
    act: (context) => {
      const { world, device, chance } = context;
      const { userId } = device;
      world.auth.end(userId);
      world.loop.after(1_000 + chance.below(90_000), () => {
        for (const each of world.devices)
          if (each.userId === userId) signIn(world, pageAt({ ...context, device: each }), userId);
      });
      world.counters.count('fault: session ended');
      return 'the session is ended from elsewhere';
    },
  },
  'signs in again': {
    weight: 2,
    act: (context) => {
      const { world, device } = context;
      signIn(world, pageAt(context), device.userId);
      return 'signs in again';
    },
  },
});
