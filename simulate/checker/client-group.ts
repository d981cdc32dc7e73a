import type { OutboxEntry } from '../../app/db/person-db.ts';
import type { Device } from '../device/device.ts';
import { readSnapshot, type DiskSnapshot } from './disk-snapshot.ts';

/** One mutation as its device made it, shown to the person as saved or not. */
export interface Made {
  uid: string;
  name: string;
  args: unknown;
  argsHash: string;
  /** Its order on this device. */
  order: number;
  /** The version this device had of everything when it was made. */
  version: number;
}

/** One person's rows on one device, and their history: what was shown to the person, and the outcomes. */
export interface ClientGroup {
  readonly key: string;
  readonly device: Device;
  readonly userId: string;
  readonly database: string;
  readonly made: Map<string, Made>;
  /** "Saved on this phone" was said. */
  readonly acknowledged: Set<string>;
  readonly cancelled: Set<string>;
  /** Being cancelled just now: the disk may be ahead of the answer. */
  readonly dropping: Set<string>;
  /** Closings that were seen held, and not undone: their jobs, by uid. */
  readonly held: Map<string, string>;
  /** Rejections that the person has dismissed. */
  readonly dealtWith: Set<string>;
  /** Gone with the disk: wiped, rolled back, or lost with a restored database. */
  readonly excused: Set<string>;
  /** How often each rejection was shown to the person. */
  readonly shown: Map<string, number>;
  /** Stored photos, by id: where their bytes go, and how many there are. */
  readonly photos: Map<string, { path: string; bytes: number; jobId: string }>;
  /** Photos that have left the device: the job they were for. */
  readonly sentPhotos: Map<string, { path: string; jobId: string }>;
  readonly droppedPhotos: Set<string>;
  /** The version of complete answers that were applied, by timeline. */
  readonly highest: Map<string, number>;
  /** Rows that must be visible from now on, by the uid that made them. */
  readonly mustSee: Map<string, { table: 'jobs' | 'interests'; id: string; jobId: string }>;
  /** An old copy of its disk was restored: its state is older than its history. */
  wasRolledBack: boolean;
  /**
   * Its person has logged out: mutations made up to then are deleted. Infinite until they come back; undefined once
   * deleted.
   */
  leftBefore: number | undefined;
  lastOutbox: readonly OutboxEntry[];
  lastRejected: ReadonlySet<string>;
  cookie: string | undefined;
  epoch: number | undefined;
  /** The turn of the lock, when the tab that writes the cookie now got it. */
  turn: number;
}

export function createClientGroup(device: Device, userId: string, database: string): ClientGroup {
  return {
    key: `${device.name} (${userId.slice(-4)})`,
    device,
    userId,
    database,
    made: new Map(),
    acknowledged: new Set(),
    cancelled: new Set(),
    dropping: new Set(),
    held: new Map(),
    dealtWith: new Set(),
    excused: new Set(),
    shown: new Map(),
    photos: new Map(),
    sentPhotos: new Map(),
    droppedPhotos: new Set(),
    highest: new Map(),
    mustSee: new Map(),
    wasRolledBack: false,
    leftBefore: undefined,
    lastOutbox: [],
    lastRejected: new Set(),
    cookie: undefined,
    epoch: undefined,
    turn: 0,
  };
}

/** What is on the disk now is what was seen last. */
export function startFrom(group: ClientGroup, now: DiskSnapshot | undefined): void {
  group.highest.clear();
  group.lastOutbox = now?.outbox ?? [];
  group.lastRejected = new Set(now?.refused.map(({ uid }) => uid));
  group.cookie = now?.cookie;
}

/**
 * After a power cut what was received and not flushed is missing, and comes once more. What was called saved is still
 * there.
 */
export function startAfterPowerCut(group: ClientGroup): void {
  const before = group.lastRejected;
  startFrom(group, readSnapshot(group.device.disk, group.database));
  for (const uid of before) if (!group.lastRejected.has(uid)) group.shown.delete(uid);
}

/**
 * Excuses the mutations that were made up to then: they are deleted with their person's log-out, one by one or with the
 * whole database.
 */
export function excuseUpTo(group: ClientGroup, before: number): void {
  for (const { uid, order } of group.made.values()) if (order <= before) group.excused.add(uid);
  for (const id of group.photos.keys()) group.droppedPhotos.add(id);
}

/** Excuses what a disk that was changed from outside has no more. */
export function excuseMissing(group: ClientGroup, now: DiskSnapshot | undefined, how: 'wiped' | 'rolled back'): void {
  const here = new Set([...(now?.outbox ?? []), ...(now?.refused ?? [])].map(({ uid }) => uid));
  for (const uid of group.made.keys()) if (!here.has(uid) || how === 'wiped') group.excused.add(uid);
  for (const id of group.photos.keys()) if (!now?.photos.some((photo) => photo.id === id)) group.droppedPhotos.add(id);
}
