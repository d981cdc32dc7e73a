import type { Clock } from '../../app/db/clock.ts';
import type { PersonDb, PhotoEntry, CollectionDb } from '../../app/db/person-db.ts';
import type { HeldChanges } from '../../app/held/held-changes.ts';
import type { UploadQueue } from '../../app/photos/upload-queue.ts';
import type { Session } from '../../app/session/create-session.ts';
import type { DeviceDb } from '../../app/session/device-db.ts';
import type { CollectionsOnDevice } from '../../app/collections/collections-on-device.ts';
import type { Sync } from '../../app/sync/create-sync.ts';
import type { SeededRandom } from '../../shared/testing/random-source.ts';
import type { MailedSession } from '../server/auth-server.ts';
import { createLink, type Link, type LinkParts } from '../network/link.ts';
import type { SimProcess, Loop } from '../time/loop.ts';
import { createChannels, type Channel } from './channels.ts';
import { createDisk, type Disk, type DiskCopy } from './disk.ts';
import { createLocks, type Locks } from './locks.ts';

/** A tab with one person's database open in it: the product's own code over this device's ports. */
export interface Tab {
  readonly proc: SimProcess;
  readonly page: Page;
  readonly device: Device;
  readonly userId: string;
  readonly db: PersonDb;
  /** The name under which this person's rows are stored on this device. */
  readonly database: string;
  readonly sync: Sync;
  readonly photoUploads: UploadQueue;
  /** What can still be undone before it is a mutation. */
  readonly held: HeldChanges;
  readonly collections: CollectionsOnDevice;
  isVisible: boolean;
  /** It runs an app of before the last change of the row schema. */
  readonly isOldApp: boolean;
  newId(): string;
  makePhotos(jobId: string, count: number): PhotoEntry[];
}

/**
 * One tab of a browser, signed in or not: the product's own session over the device's own database, and the client
 * groups that belong to its person, opened and closed as compose/open-session-manager.ts does it.
 */
export interface Page {
  readonly proc: SimProcess;
  readonly device: Device;
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly fetch: typeof fetch;
  readonly deviceDb: DeviceDb;
  readonly publicDb: CollectionDb;
  readonly session: Session;
  /** The person's client groups that are open here. */
  tab: Tab | undefined;
  /** Reads the public collections, where no person is signed in. */
  visit(): void;
  signIn(userId: string): Promise<void>;
  /** What the address of a mailed link does to this tab. */
  openLink(link: MailedSession): Promise<void>;
  /** For a caller that ends the program: its subscriptions to the disk end. */
  forget(): void;
}

/** What works on a person's database on a device: a tab, or the service worker. */
export type Client = Pick<Tab, 'proc' | 'device' | 'userId' | 'database'>;

/** A phone or computer: one browser with one disk, and the people who use it. */
export interface Device {
  readonly name: string;
  readonly loop: Loop;
  readonly disk: Disk;
  readonly locks: Locks;
  readonly link: Link;
  /** People who have signed in here, one at a time; the first owns the device. */
  readonly people: readonly string[];
  /** Its current person: signed in according to its disk, or about to be. */
  userId: string;
  /** Its open tabs, signed in or not. */
  pages: Page[];
  /** Service workers that run now: one at most, except for one that is being ended. */
  workers: SimProcess[];
  /** Those in which a person's database is open. */
  readonly tabs: readonly Tab[];
  opened: number;
  /** It is switched off: since when, and how many timelines the server's database had had by then. */
  away: { since: number; timelines: number } | undefined;
  /** Its clock's error, milliseconds. */
  skew: number;
  /** The next tab is of an app from before the last change of the row schema. */
  isOldApp: boolean;
  /** An old copy of the disk, for a browser profile that is restored. */
  backup: DiskCopy | undefined;
  now(): number;
  channel<Message>(proc: SimProcess, name: string): Channel<Message>;
}

/** The name of a database on this device; all of them are in this process. */
export const nameOn = ({ name }: Pick<Device, 'name'>, database: string): string => `${name}-${database}`;

/** The device's own database, whether a person is signed in or not (app/session/device-db.ts). */
export const deviceDbName = 'dwang-device';

export interface DeviceParts extends LinkParts {
  name: string;
  people: readonly string[];
  epochMs: number;
  onStruck(kind: string): void;
}

export function createDevice({ name, people, epochMs, onStruck, ...link }: DeviceParts): Device {
  const { loop } = link;
  const device: Device = {
    name,
    loop,
    people,
    disk: createDisk(loop, onStruck),
    locks: createLocks(loop),
    link: createLink(link),
    userId: people[0]!,
    pages: [],
    workers: [],
    get tabs() {
      return device.pages.flatMap(({ tab }) => tab ?? []);
    },
    opened: 0,
    away: undefined,
    skew: 0,
    isOldApp: false,
    backup: undefined,
    now: () => epochMs + loop.now() + device.skew,
    channel: createChannels(loop),
  };
  return device;
}

/** As compose/open-session-context.ts does it when its person looks at it again. */
export function becomesVisible({ db, sync }: Tab): void {
  db.rows.refresh();
  sync.wakeUp('visible');
}

/** The tab's program stops where it is. False while it opens a database: then as soon as that is open. */
export function killPage(page: Page): boolean {
  const { device, proc } = page;
  if (!device.disk.kill(proc)) return false;
  device.loop.end(proc);
  device.locks.forget(proc);
  page.forget();
  device.pages = device.pages.filter((other) => other !== page);
  return true;
}

/** The worker's program stops where it is, or as soon as the database it is opening is open. */
export function endWorker(device: Device, proc: SimProcess): void {
  if (proc.state === 'dead') return;
  if (!device.disk.kill(proc)) return void device.loop.after(3, () => endWorker(device, proc));
  device.loop.end(proc);
  device.locks.forget(proc);
  device.workers = device.workers.filter((other) => other !== proc);
}
