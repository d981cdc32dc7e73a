import type { OutboxEntry } from '../../app/db/person-db.ts';
import type { Device } from '../device/device.ts';

/** One mutation as its device made it, told to the person or not. */
export interface Made {
  uid: string;
  name: string;
  args: unknown;
  argsHash: string;
  /** Which came first on this device. */
  order: number;
  /** The version this device had of everything when it was made. */
  version: number;
}

/** One person's rows on one device, and the books that are kept about them: what they were told, and what became of it. */
export interface ClientGroup {
  readonly key: string;
  readonly device: Device;
  readonly userId: string;
  readonly database: string;
  readonly made: Map<string, Made>;
  /** "Saved on this phone" was said. */
  readonly told: Set<string>;
  readonly cancelled: Set<string>;
  /** Being taken back just now: the disk may be ahead of the answer. */
  readonly dropping: Set<string>;
  /** Refusals that the person has dealt with. */
  readonly dealtWith: Set<string>;
  /** Gone with the disk: wiped, rolled back, or lost with a restored database. Nobody could have kept them. */
  readonly excused: Set<string>;
  /** How often each refusal was laid before the person. */
  readonly shown: Map<string, number>;
  /** Photos kept, by id: where their bytes are to go, and how many. */
  readonly photos: Map<string, { path: string; bytes: number; jobId: string }>;
  /** Photos that have left the device: the job they were for. */
  readonly sentPhotos: Map<string, { path: string; jobId: string }>;
  readonly droppedPhotos: Set<string>;
  /** Of whole answers taken in: how far, by lineage. */
  readonly highest: Map<string, number>;
  /** Rows that must be seen from now on, by the uid that made them. */
  readonly mustSee: Map<string, { table: 'jobs' | 'interests'; id: string; jobId: string }>;
  /** An old copy of its disk was put back: what it knows is older than what it did. */
  wasRolledBack: boolean;
  /** Its person has logged out: what was made up to then goes. Infinite until they come back; undefined once it is gone. */
  leftBefore: number | undefined;
  lastOutbox: readonly OutboxEntry[];
  lastRejected: ReadonlySet<string>;
  cookie: string | undefined;
  epoch: number | undefined;
  /** Of the lock, when whoever writes the cookie now came to hold it. */
  turn: number;
}

export function newClientGroup(device: Device, userId: string, database: string): ClientGroup {
  return {
    key: `${device.name} (${userId.slice(-4)})`,
    device, userId, database,
    made: new Map(), told: new Set(), cancelled: new Set(), dropping: new Set(), dealtWith: new Set(), excused: new Set(),
    shown: new Map(), photos: new Map(), sentPhotos: new Map(), droppedPhotos: new Set(), highest: new Map(), mustSee: new Map(),
    wasRolledBack: false, leftBefore: undefined, lastOutbox: [], lastRejected: new Set(), cookie: undefined, epoch: undefined, turn: 0,
  };
}
