import { personDbName } from '../../app/db/person-db.ts';
import type { ExchangeAnswer, ExchangeRequest } from '../../shared/protocol/exchange.ts';
import { deviceDbName, nameOn, type Device, type Client, type Tab } from '../device/device.ts';
import type { Commit } from '../device/disk.ts';
import type { Bucket, StoredFile } from '../server/bucket.ts';
import type { SimProcess } from '../time/loop.ts';
import type { Backend } from '../world/backend.ts';
import type { Counters } from '../world/counters.ts';
import { invariantsAlways, i12BytesKept, type Seen } from './invariants-always.ts';
import { collectionStores, i9Collections } from './collections.ts';
import { createRestores, type Restores } from './i3-restored.ts';
import { c1SavedWhenComplete, i11OneLeader, i13OwnDatabase } from './invariants-at-commit.ts';
import { countConflict } from './count-conflict.ts';
import type { Decisions } from './decisions.ts';
import { i17Decided, i17Put, i17Stored, i17DeviceOwner, type MakerOf } from './i17-apart.ts';
import { createHeads } from './i18-fresh.ts';
import { createSeenTimelines } from './i18-one-timeline.ts';
import { reportingViolations, createMeaning, type Meaning } from './i19-meaning.ts';
import { i5Replay } from './i5-replay.ts';
import { createOwners } from './owners.ts';
import { createPeopleAt } from './people-at.ts';
import { personOn } from './person-on.ts';
import { noteMade } from './note-made.ts';
import {
  createClientGroup,
  excuseMissing,
  excuseUpTo,
  startAfterPowerCut,
  startFrom,
  type ClientGroup,
} from './client-group.ts';
import { readSnapshot, snapshotStores, type DiskSnapshot } from './disk-snapshot.ts';
import { watchScreen, withLatest } from './shown.ts';
import { must, Violation } from './violation.ts';

export interface CheckerParts {
  backend: Backend;
  decisions: Decisions;
  bucket: Bucket;
  counters: Counters;
  lists: Parameters<typeof createMeaning>[0];
  now(): number;
}

/** Records the history of every person on every device, and checks every state against the rules. */
export interface Checker {
  watchDisk(device: Device): void;
  watchTab(client: Client): void;
  /** Checks from now on what this tab shows. */
  watchScreen(tab: Tab): void;
  groupOf(device: Device, userId: string): ClientGroup;
  groups(): readonly ClientGroup[];
  /** An answer reached this tab; it may still discard it. */
  received(client: Client, answer: ExchangeAnswer): void;
  /** The model's rows, and what it decides. */
  meaning: Meaning;
  restores: Pick<Restores, 'hasWaited' | 'followed'>;
  /** A server is asked; the returned function is called with its answer, which may still be lost. */
  asked(proc: SimProcess, request: Pick<ExchangeRequest, 'cookie'>): (answer: ExchangeAnswer) => void;
  /** A server has answered what was not asked; the answer may still be lost. */
  answered(answer: ExchangeAnswer): void;
  /** "Saved on this phone." */
  acknowledged(tab: Tab, uid: string): void;
  /** Who made a mutation (by uid) or took a photo (by path). */
  makerOf: MakerOf;
  /** Storage has accepted a file. */
  stored(path: string, file: StoredFile): void;
  /** A person is about to sign in on this device themself, and then has. */
  comes(device: Device, userId: string): void;
  came(device: Device, userId: string): void;
  /** A person logs out, and agrees to lose what is unsent. */
  leaves(device: Device, userId: string): void;
  /** Log-out said that it is done. */
  left(device: Device, userId: string): void;
  /** The person's disk was changed from outside (wiped, rolled back): what is gone with it is excused. */
  diskChanged(device: Device, how: 'wiped' | 'rolled back' | 'powerless', people?: readonly string[]): void;
  /** The server's database was restored: what it forgot is excused. */
  databaseRestored(): void;
  /** How many timelines the database has had. */
  timelines(): number;
  /** A job was deleted by an operator. */
  jobRemoved(jobId: string): void;
  look(group: ClientGroup): DiskSnapshot | undefined;
  /** Another check saw a rule broken. */
  accuse(violation: unknown): void;
  /** Throws the first rule that was broken since the last call. */
  mustBeWell(): void;
}

export function createChecker({ backend, decisions, bucket, counters, lists, now }: CheckerParts): Checker {
  const groups = new Map<string, ClientGroup>();
  const byDatabase = new Map<string, ClientGroup>();
  const tabs = new Map<SimProcess, Client[]>();
  const answers = new Map<string, Map<string, boolean>>();
  /** The cookie of the last answer that each tab got. */
  const latest = new Map<SimProcess, readonly string[]>();
  /** Durable at some time, whatever came after. */
  const durable = new Set<string>();
  const makers = new Map<string, string>();
  const makerOf: MakerOf = (uidOrPath) => makers.get(uidOrPath);
  const owners = createOwners(backend);
  const heads = createHeads(backend, now);
  const people = createPeopleAt();
  let broken: unknown;
  const restores = createRestores({ backend, decisions, counters, groups, now });
  backend.onFormerWrites(restores.decidedByFormer);
  const timelines = createSeenTimelines(backend);
  const meaning = createMeaning(lists);
  const accuse = (violation: unknown) => void (broken ??= violation);
  backend.onWrites(reportingViolations(meaning.i19Decided, accuse));
  let made = 0;
  const nextOrder = () => (made += 1);
  const answered = (answer: ExchangeAnswer, found?: Violation) =>
    void (broken ??= found ?? heads.i18Fresh(answer) ?? restores.answered(answer));

  function groupOf(device: Device, userId: string): ClientGroup {
    const database = nameOn(device, personDbName(userId));
    const known = byDatabase.get(database);
    if (known !== undefined) return known;
    const group = createClientGroup(device, userId, database);
    groups.set(group.key, group);
    byDatabase.set(database, group);
    return group;
  }

  decisions.onDecided((decision, before) => {
    const { userId, uid, status } = decision;
    broken ??= i17Decided(decision, makerOf) ?? restores.i3NotTooEarly(decision);
    const what = [...groups.values()].find((group) => group.userId === userId && group.made.has(uid))?.made.get(uid);
    if (what === undefined || status !== 'applied') return;
    countConflict(counters, userId, what, before);
  });

  const seenOf = (group: ClientGroup, now: DiskSnapshot): Seen => ({ group, now, ...knownOf(group) });
  const knownOf = (group: ClientGroup): Omit<Seen, 'group' | 'now'> => ({
    decisions,
    at: backend.at,
    timeline: backend.timeline,
    isWhole: (cookie) => answers.get(group.key)?.get(cookie),
  });

  function check(group: ClientGroup, now: DiskSnapshot): void {
    noteMade(group, now, { durable, makers, counters, nextOrder });
    if (group.leftBefore !== undefined) excuseUpTo(group, group.leftBefore);
    i17Stored(group, now, makerOf, owners);
    const seen = seenOf(group, now);
    for (const holds of invariantsAlways) holds(seen);
    i12BytesKept(seen, bucket);
    counters.count('a state checked');
    i5Replay(group, now);
    group.lastOutbox = now.outbox;
    group.lastRejected = new Set(now.refused.map(({ uid }) => uid));
  }

  function hear(device: Device, commit: Commit): void {
    counters.count(commit.hasWritten ? 'a write committed on a device' : 'a read on a device');
    if (broken !== undefined || !commit.hasWritten) return;
    try {
      if (commit.database === nameOn(device, deviceDbName)) return checkDeviceOwner(device);
      if (collectionStores.some((store) => commit.stores.has(store)))
        i9Collections(device.disk, device.name, commit.database, backend, counters);
      const group = byDatabase.get(commit.database);
      if (group === undefined || !snapshotStores.some((store) => commit.stores.has(store))) return;
      const tab = tabs.get(commit.proc)?.findLast(({ database }) => database === commit.database);
      i13OwnDatabase(group, tab);
      // A tab that has committed into it still holds it alone, whatever others write elsewhere.
      if (commit.stores.has('meta')) i11OneLeader(group, tab);
      const now = readSnapshot(device.disk, commit.database);
      if (now !== undefined) check(group, now);
    } catch (error) {
      broken = error;
    }
  }

  function checkDeviceOwner(device: Device): void {
    const userId = personOn(device);
    if (userId === undefined) return;
    i17DeviceOwner(device, userId, people.of(device));
    device.userId = userId;
    const group = groupOf(device, userId);
    if (group.leftBefore === Number.POSITIVE_INFINITY) group.leftBefore = made;
  }

  /** What the disk lost is excused. */
  function excuse(group: ClientGroup, how: 'wiped' | 'rolled back'): void {
    const now = readSnapshot(group.device.disk, group.database);
    excuseMissing(group, now, how);
    startAfresh(group, now);
  }

  function startAfresh(group: ClientGroup, now: DiskSnapshot | undefined): void {
    startFrom(group, now);
    group.mustSee.clear();
    group.wasRolledBack = true;
    answers.delete(group.key);
  }

  /**
   * A database was deleted: only because its person logged out, and with nothing that they made after they came back.
   */
  function deleted(device: Device, database: string): void {
    const group = byDatabase.get(database);
    if (group === undefined) return;
    const before = group.leftBefore;
    if (before === undefined)
      broken ??= new Violation('I3', group.key, 'was deleted, and its person had not logged out');
    excuseUpTo(group, before ?? 0);
    group.leftBefore = undefined;
    startAfresh(group, readSnapshot(device.disk, database));
  }

  return {
    watchDisk: (device) => {
      for (const userId of device.people) groupOf(device, userId);
      people.begin(device, device.userId);
      device.disk.onCommit((commit) => hear(device, commit));
      device.disk.onDeleted((database) => deleted(device, database));
    },
    watchScreen: (tab) => {
      const group = groupOf(tab.device, tab.userId);
      watchScreen(tab, group, { ...knownOf(group), durable, counters, latest, accuse });
    },
    watchTab: (tab) => void tabs.set(tab.proc, [...(tabs.get(tab.proc) ?? []), tab]),
    makerOf,
    stored: (path, file) => void (broken ??= i17Put(path, file.by, makerOf)),
    comes: people.comes,
    came: people.came,
    left: (device, userId) => {
      const group = groupOf(device, userId);
      const now = readSnapshot(device.disk, group.database);
      const isHere =
        now !== undefined && (now.outbox.length > 0 || now.photos.length > 0 || now.privateRows.users.length > 0);
      if (isHere && group.leftBefore === Number.POSITIVE_INFINITY)
        broken ??= new Violation('I17', group.key, 'is still here after its person has logged out');
    },
    leaves: (device, userId) => void (groupOf(device, userId).leftBefore = Number.POSITIVE_INFINITY),
    meaning,
    groupOf,
    groups: () => [...groups.values()],
    received: (tab, answer) => {
      counters.count(
        answer.kind === 'reset'
          ? `reset: ${answer.reason}`
          : answer.more
            ? 'a page with more to come'
            : 'an exchange answered',
      );
      if (answer.kind !== 'delta') return;
      const group = groupOf(tab.device, tab.userId);
      const known = answers.get(group.key) ?? new Map<string, boolean>();
      answers.set(group.key, known.set(answer.cookie, !answer.more));
      latest.set(tab.proc, withLatest(latest.get(tab.proc), answer.cookie));
      if (answer.stopped !== undefined) counters.count('an exchange stopped by a fault');
    },
    asked: (proc, request) => {
      const i18OneTimeline = timelines.asked(proc, request);
      return (answer) => answered(answer, i18OneTimeline(answer));
    },
    answered,
    restores,
    acknowledged: (tab, uid) => {
      const group = groupOf(tab.device, tab.userId);
      group.acknowledged.add(uid);
      try {
        c1SavedWhenComplete(group, uid, durable);
        must(makerOf(uid) === tab.userId, 'I17', group.key, () => `${uid} was made by another than who tapped`);
      } catch (error) {
        broken ??= error;
      }
    },
    diskChanged: (device, how, whose = device.people) => {
      for (const userId of whose)
        if (how === 'powerless') startAfterPowerCut(groupOf(device, userId));
        else excuse(groupOf(device, userId), how);
      if (how === 'powerless') return;
      const userId = personOn(device);
      if (userId === undefined) return;
      device.userId = userId;
      people.add(device, userId);
    },
    databaseRestored: () => {
      meaning.startFrom(backend.committed());
      restores.restored();
      timelines.begun();
    },
    timelines: timelines.count,
    jobRemoved: (jobId) => {
      for (const group of groups.values())
        for (const [uid, at] of group.mustSee) if (at.jobId === jobId) group.mustSee.delete(uid);
    },
    look: (group) => readSnapshot(group.device.disk, group.database),
    accuse,
    mustBeWell: () => {
      if (broken !== undefined) throw broken;
    },
  };
}
