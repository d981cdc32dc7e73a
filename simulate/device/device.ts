import type { PersonDb, PhotoEntry } from '../../app/db/person-db.ts';
import type { PhotoLane } from '../../app/photos/photo-lane.ts';
import type { ShelvesOnDevice } from '../../app/shelves/shelves-on-device.ts';
import type { Sync } from '../../app/sync/create-sync.ts';
import type { ChannelPort } from '../../app/sync/ports.ts';
import { createLink, type Link, type LinkParts } from '../network/link.ts';
import type { Life, Loop } from '../time/loop.ts';
import { createChannels } from './channels.ts';
import { createDisk, type Disk, type DiskCopy } from './disk.ts';
import { createLocks, type Locks } from './locks.ts';

/** One tab (or the worker) of a browser, with one person signed in: the product's own code over this device's ports. */
export interface Tab {
  readonly life: Life;
  readonly device: Device;
  readonly userId: string;
  readonly db: PersonDb;
  /** The name under which this person's rows lie on this device. */
  readonly database: string;
  readonly sync: Sync;
  readonly lane: PhotoLane;
  readonly shelves: ShelvesOnDevice;
  /** The epoch under which this tab last came to lead. */
  epoch: number | undefined;
  isVisible: boolean;
  /** It runs an app from before the last change of the row schema. */
  readonly isOldApp: boolean;
  newId(): string;
  makePhotos(jobId: string, count: number): PhotoEntry[];
}

/** A phone or computer: one browser with one disk, and whoever uses it. */
export interface Device {
  readonly name: string;
  readonly loop: Loop;
  readonly disk: Disk;
  readonly locks: Locks;
  readonly link: Link;
  /** People who have signed in here, one at a time; the first is whose device it is. */
  readonly people: readonly string[];
  /** Who is signed in. */
  userId: string;
  tabs: Tab[];
  opened: number;
  /** How far its clock is out, milliseconds. */
  skew: number;
  /** The next tab is of an app from before the last change of the row schema. */
  isOldApp: boolean;
  /** Marks that outlive the database (C4). */
  readonly marks: Set<string>;
  /** An old copy of the disk, for a browser profile that is put back. */
  backup: DiskCopy | undefined;
  now(): number;
  channel(life: Life, name: string): ChannelPort;
}

export interface DeviceParts extends LinkParts {
  name: string;
  people: readonly string[];
  epochMs: number;
  onStruck(kind: string): void;
}

export function createDevice({ name, people, epochMs, onStruck, ...link }: DeviceParts): Device {
  const { loop } = link;
  const device: Device = {
    name, loop, people,
    disk: createDisk(loop, onStruck),
    locks: createLocks(loop),
    link: createLink(link),
    userId: people[0]!,
    tabs: [],
    opened: 0,
    skew: 0,
    isOldApp: false,
    marks: new Set(),
    backup: undefined,
    now: () => epochMs + loop.now() + device.skew,
    channel: createChannels(loop),
  };
  return device;
}

/** The tab's program stops where it stands. False while it opens a database: then a moment later. */
export function killTab(tab: Tab): boolean {
  const { device, life } = tab;
  if (!device.disk.kill(life)) return false;
  device.loop.end(life);
  device.locks.forget(life);
  device.tabs = device.tabs.filter((other) => other !== tab);
  return true;
}

/** The tab is closed properly; resolves when nothing of it runs. */
export async function closeTab(tab: Tab): Promise<void> {
  const { device } = tab;
  tab.lane.stop();
  tab.shelves.stop();
  let isDone = false;
  tab.sync.stop().then(() => (isDone = true), () => (isDone = true));
  for (let tries = 0; !isDone && tries < 100; tries += 1) await device.loop.pass(5);
  while (!killTab(tab)) await device.loop.pass(5);
}
