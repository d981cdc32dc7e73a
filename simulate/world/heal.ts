import { poison } from '../server/memory-backend.ts';
import { storageKey } from '../../app/session/auth-storage.ts';
import { deviceDbName, nameOn, type Device } from '../device/device.ts';
import type { ClientGroup } from '../checker/client-group.ts';
import { isBack } from './away.ts';
import { signIn } from './sign-in.ts';
import { closeHung } from './kill.ts';
import type { World } from './world.ts';

/**
 * Virtual minutes within which everything must have drained, with no tap. Each mutation a server fails on becomes a
 * dead letter after half an hour.
 */
const minutes = { usual: 12, forEachPoison: 45 } as const;

/** Only some seeds hold mutations a server fails on: it takes long until all are dead letters. */
export const isPoisonable = (seed: number): boolean => seed % 10 === 5;

/**
 * The faults are over: signal, sound disks and servers, the app open and visible, each person signed in. There are no
 * taps. `check` is called with the client groups that must be in order then.
 */
export async function heal(world: World, check: (groups: readonly ClientGroup[]) => void): Promise<void> {
  const { loop, backend, cluster, devices } = world;
  backend.disarm();
  // A server of the other release may just be starting.
  await loop.pass(5_000);
  for (const instance of cluster.running()) if (instance.schemaShift > 0) cluster.kill(instance);
  while (cluster.running().length < 2) {
    cluster.start();
    await loop.pass(200);
  }
  for (const device of devices) {
    isBack(world, device);
    device.link.clear();
    device.disk.disarm();
    closeHung(world, device);
    for (const { proc } of device.pages) {
      proc.fuse = undefined;
      loop.thaw(proc);
    }
  }
  await loop.pass(40_000);
  for (const device of devices) await becomeSignedIn(world, device, device.userId);
  for (const device of devices) look(world, device);
  await passMinutes(world);
  check(devices.map((device) => world.checker.groupOf(device, device.userId)));
  // Other people with pending work on a shared device sign in as well.
  for (const device of devices) {
    for (const other of device.people.filter((person) => person !== device.userId)) {
      await changePerson(world, device, other);
      await passMinutes(world);
      check([world.checker.groupOf(device, other)]);
    }
  }
}

function look(world: World, device: Device): void {
  if (device.pages.length === 0) world.openPage(device);
  device.tabs.forEach((tab, at) => (tab.isVisible = at === 0));
}

/**
 * The session on this disk has ended at the provider: its device may not have asked since, and then the product does
 * not know it yet.
 */
function hasEnded({ auth }: World, device: Device): boolean {
  const entries = device.disk.read(nameOn(device, deviceDbName), 'entries') as readonly {
    key: string;
    value: unknown;
  }[];
  const stored = entries.find(({ key }) => key === `auth:${storageKey}`)?.value;
  return typeof stored === 'string' && auth.isOver((JSON.parse(stored) as { access_token: string }).access_token);
}

/** Until this person is signed in on the device with a valid session. */
async function becomeSignedIn(world: World, device: Device, userId: string): Promise<void> {
  for (let tries = 0; tries < 40; tries += 1) {
    if (device.pages.length === 0) world.openPage(device);
    await world.loop.pass(3_000);
    const page = device.pages[0];
    const state = page?.session.state.current();
    if (page === undefined || state === undefined || state.kind === 'starting') continue;
    if (state.kind === 'unreadable') page.session.readAgain();
    else if (
      state.kind === 'signed-out' ||
      state.person.userId !== userId ||
      state.needsSignIn ||
      hasEnded(world, device)
    )
      signIn(world, page, userId);
    else if (device.tabs.some((tab) => tab.userId === userId)) return;
  }
}

/**
 * An app that was told it is too old is reloaded, which asks again; that answer may have been under way when the faults
 * stopped.
 */
function loadAnew({ devices }: World): void {
  for (const tab of devices.flatMap(({ tabs }) => tabs))
    if (tab.sync.status.current().phase === 'needs-update') tab.sync.wakeUp('pageshow');
}

/** Mutations a server fails on become dead letters one after the other, for each person. */
function minutesFor({ devices, checker }: World): number {
  const poisons = devices.map(
    (device) =>
      (checker.look(checker.groupOf(device, device.userId))?.outbox ?? []).filter(({ args }) =>
        JSON.stringify(args).includes(poison),
      ).length,
  );
  return minutes.usual + minutes.forEachPoison * Math.max(...poisons);
}

async function passMinutes(world: World): Promise<void> {
  // Time moves on until each outbox can be read.
  for (
    let tries = 0;
    tries < 500 && world.checker.groups().some((group) => world.checker.look(group) === undefined);
    tries += 1
  )
    await world.loop.pass(1);
  const count = minutesFor(world);
  for (let minute = 0; minute < count; minute += 1) {
    loadAnew(world);
    await world.loop.pass(60_000);
    world.checker.mustBeWell();
    if (minute >= 1 && isQuiet(world)) break;
  }
  // The last answers may have started more, so all devices settle once more, until no write is under way.
  await world.loop.pass(70_000);
  for (
    let tries = 0;
    tries < 500 && world.checker.groups().some((group) => world.checker.look(group) === undefined);
    tries += 1
  )
    await world.loop.pass(1);
  world.checker.mustBeWell();
}

function isQuiet({ devices, checker, backend }: World): boolean {
  return devices.every((device) => {
    const now = checker.look(checker.groupOf(device, device.userId));
    return now !== undefined && now.outbox.length === 0 && now.place?.v === String(backend.head());
  });
}

/** As where one person's session has ended and another takes the device: the first one's outbox stays on it. */
async function changePerson(world: World, device: Device, userId: string): Promise<void> {
  world.auth.end(device.userId);
  for (const tab of device.tabs) tab.sync.sendNow();
  await world.loop.pass(60_000);
  await becomeSignedIn(world, device, userId);
}
