import { personDbName } from '../../app/db/person-db.ts';
import type { ExchangeAnswer } from '../../shared/protocol/exchange.ts';
import { deviceDbName, nameOn, type Device, type Hand, type Tab } from '../device/device.ts';
import type { Commit } from '../device/disk.ts';
import type { Bucket, StoredFile } from '../server/bucket.ts';
import type { Life } from '../time/loop.ts';
import type { Backend } from '../world/backend.ts';
import type { Counters } from '../world/counters.ts';
import { argsHash } from '../../sync-server/sync/args-hash.ts';
import { atAnyTime, i12BytesKept, type Seen } from './at-any-time.ts';
import { collectionStores, i9Collections } from './collections.ts';
import { c1SavedWhenComplete, i11OneLeader, i13OwnDatabase } from './at-a-commit.ts';
import type { Decisions } from './decisions.ts';
import { i17Decided, i17Put, i17Stored, i17WhoIsHere, type MakerOf } from './i17-apart.ts';
import { createHeads } from './i18-fresh.ts';
import { accusing, createMeaning, type Meaning } from './i19-meaning.ts';
import { i5Replay } from './i5-replay.ts';
import { createOwners } from './owners.ts';
import { personOn } from './person-on.ts';
import { newRoom, type Room } from './room.ts';
import { look, sightedStores, type Sighting } from './sighting.ts';
import { must, Violation } from './violation.ts';

export interface JudgeParts {
  backend: Backend;
  decisions: Decisions;
  bucket: Bucket;
  counters: Counters;
  lists: Parameters<typeof createMeaning>[0];
  now(): number;
}

/** Keeps the books about every person on every device, and holds each moment against the rules. */
export interface Judge {
  watchDisk(device: Device): void;
  watchTab(hand: Hand): void;
  roomOf(device: Device, userId: string): Room;
  rooms(): readonly Room[];
  /** An answer reached this tab; whether it takes it in is another matter. */
  heard(hand: Hand, answer: ExchangeAnswer): void;
  /** What the model has, and its opinion of what is decided. */
  meaning: Meaning;
  /** A server has answered; whether anybody hears it is another matter. */
  answered(answer: ExchangeAnswer): void;
  /** "Saved on this phone." */
  told(tab: Tab, uid: string): void;
  /** Who made a mutation (by uid) or took a photo (by path). */
  makerOf: MakerOf;
  /** Storage has taken a file. */
  stored(path: string, file: StoredFile): void;
  /** Somebody is about to sign in on this device with their own hand, and then has. */
  comes(device: Device, userId: string): void;
  came(device: Device, userId: string): void;
  /** Somebody logs out, and knows what goes with it. */
  leaves(device: Device, userId: string): void;
  /** Log-out said that it is done. */
  left(device: Device, userId: string): void;
  /** The person's disk is not what it was (wiped, rolled back): what is gone with it was nobody's fault. */
  diskChanged(device: Device, how: 'wiped' | 'rolled back' | 'powerless', people?: readonly string[]): void;
  /** The server's database was put back: what it forgot is excused. */
  databaseRestored(): void;
  /** A job was taken away by an operator. */
  jobRemoved(jobId: string): void;
  look(room: Room): Sighting | undefined;
  /** Somebody else saw a rule broken. */
  accuse(violation: unknown): void;
  /** Throws the first rule that was broken since it was last asked. */
  mustBeWell(): void;
}

export function createJudge({ backend, decisions, bucket, counters, lists, now }: JudgeParts): Judge {
  const rooms = new Map<string, Room>();
  const byDatabase = new Map<string, Room>();
  const tabs = new Map<Life, Hand[]>();
  const answers = new Map<string, Map<string, boolean>>();
  /** Durable at some moment, whatever came after. */
  const durable = new Set<string>();
  const makers = new Map<string, string>();
  const makerOf: MakerOf = (uidOrPath) => makers.get(uidOrPath);
  const owners = createOwners(backend);
  const heads = createHeads(backend, now);
  /** By whose hand each device has been taken: more than one while somebody is just signing in. */
  const hands = new Map<Device, Set<string>>();
  const coming = new Map<Device, string[]>();
  let broken: unknown;
  const meaning = createMeaning(lists);
  backend.onWrites(accusing(meaning.i19Decided, (violation) => void (broken ??= violation)));
  let made = 0;

  function roomOf(device: Device, userId: string): Room {
    const database = nameOn(device, personDbName(userId));
    const known = byDatabase.get(database);
    if (known !== undefined) return known;
    const room = newRoom(device, userId, database);
    rooms.set(room.key, room);
    byDatabase.set(database, room);
    return room;
  }

  function noteMade(room: Room, now: Sighting): void {
    for (const { uid, name, args } of now.outbox) {
      durable.add(uid);
      if (room.made.has(uid)) continue;
      made += 1;
      if (!makers.has(uid)) makers.set(uid, room.userId);
      room.made.set(uid, { uid, name, args, argsHash: argsHash(name, args), order: made, version: Number(now.place?.v ?? 0) });
      counters.count(`made: ${name}`);
      const { id = '', jobId = '' } = args as { id?: string; jobId?: string };
      if (name === 'job.post') room.mustSee.set(uid, { table: 'jobs', id, jobId: id });
      if (name === 'interest.express') room.mustSee.set(uid, { table: 'interests', id, jobId });
    }
    for (const { id, path, bytes, jobId } of now.photos) {
      if (!room.photos.has(id)) room.photos.set(id, { path, bytes: bytes.byteLength, jobId });
      if (!makers.has(path)) makers.set(path, room.userId);
    }
  }

  /** Applied though somebody else had been there: the "applied" lines of the table of conflicts. */
  decisions.onDecided((decision, before) => {
    const { userId, uid, status } = decision;
    broken ??= i17Decided(decision, makerOf);
    const what = [...rooms.values()].find((room) => room.userId === userId && room.made.has(uid))?.made.get(uid);
    if (what === undefined || status !== 'applied') return;
    const { id = '', jobId = '' } = what.args as { id?: string; jobId?: string };
    const interests = [...(before.get('interests')?.values() ?? [])];
    if (what.name === 'job.close' && before.get('jobs')?.get(id)?.['status'] === 'closed') counters.count('conflict: closed twice');
    if (what.name === 'interest.express' && interests.some((row) => row['jobId'] === jobId && row['userId'] === userId)) counters.count('conflict: expressed twice');
    if (what.name === 'job.edit' && Number(before.get('sync_change')?.get(`jobs/${id}`)?.['version'] ?? 0) > what.version) counters.count('conflict: edited on two devices');
  });

  const seenOf = (room: Room, now: Sighting): Seen => ({
    room, now, decisions,
    at: backend.at,
    lineage: backend.timeline,
    isWhole: (cookie) => answers.get(room.key)?.get(cookie),
  });

  function judge(room: Room, now: Sighting): void {
    noteMade(room, now);
    if (room.leftBefore !== undefined) excuseUpTo(room, room.leftBefore);
    i17Stored(room, now, makerOf, owners);
    const seen = seenOf(room, now);
    for (const holds of atAnyTime) holds(seen);
    i12BytesKept(seen, bucket);
    counters.count('a moment judged');
    i5Replay(room, now);
    room.lastOutbox = now.outbox;
    room.lastRejected = new Set(now.refused.map(({ uid }) => uid));
  }

  function hear(device: Device, commit: Commit): void {
    counters.count(commit.hasWritten ? 'a write committed on a device' : 'a read on a device');
    if (broken !== undefined || !commit.hasWritten) return;
    try {
      if (commit.database === nameOn(device, deviceDbName)) return lookWhoIsHere(device);
      if (collectionStores.some((store) => commit.stores.has(store))) i9Collections(device.disk, device.name, commit.database, backend);
      const room = byDatabase.get(commit.database);
      if (room === undefined || !sightedStores.some((store) => commit.stores.has(store))) return;
      const tab = tabs.get(commit.life)?.findLast(({ database }) => database === commit.database);
      i13OwnDatabase(room, tab);
      // Whoever has committed into it is still alone with it, whatever others are writing elsewhere.
      if (commit.stores.has('meta')) i11OneLeader(room, tab);
      const now = look(device.disk, commit.database);
      if (now !== undefined) judge(room, now);
    } catch (error) {
      broken = error;
    }
  }

  function lookWhoIsHere(device: Device): void {
    const userId = personOn(device);
    if (userId === undefined) return;
    i17WhoIsHere(device, userId, hands.get(device) ?? new Set());
    device.userId = userId;
    const room = roomOf(device, userId);
    if (room.leftBefore === Number.POSITIVE_INFINITY) room.leftBefore = made;
  }

  function forget(room: Room, how: 'wiped' | 'rolled back'): void {
    const now = look(room.device.disk, room.database);
    const here = new Set([...(now?.outbox ?? []), ...(now?.refused ?? [])].map(({ uid }) => uid));
    for (const uid of room.made.keys()) if (!here.has(uid) || how === 'wiped') room.excused.add(uid);
    for (const id of room.photos.keys()) if (!now?.photos.some((photo) => photo.id === id)) room.droppedPhotos.add(id);
    startAfresh(room, now);
  }

  function startAfresh(room: Room, now: Sighting | undefined): void {
    room.highest.clear();
    room.mustSee.clear();
    room.wasRolledBack = true;
    Object.assign(room, { lastOutbox: now?.outbox ?? [], lastRejected: new Set(now?.refused.map(({ uid }) => uid)), cookie: now?.cookie });
    answers.delete(room.key);
  }

  /** What was made up to then goes with its person's log-out, record by record or with the whole database. */
  function excuseUpTo(room: Room, before: number): void {
    for (const { uid, order } of room.made.values()) if (order <= before) room.excused.add(uid);
    for (const id of room.photos.keys()) room.droppedPhotos.add(id);
  }

  /** A database was deleted: only because its person logged out, and with nothing that they made after they came back. */
  function deleted(device: Device, database: string): void {
    const room = byDatabase.get(database);
    if (room === undefined) return;
    const before = room.leftBefore;
    if (before === undefined) broken ??= new Violation('I3', room.key, 'was deleted, and its person had not logged out');
    excuseUpTo(room, before ?? 0);
    room.leftBefore = undefined;
    startAfresh(room, look(device.disk, database));
  }

  return {
    watchDisk: (device) => {
      for (const userId of device.people) roomOf(device, userId);
      hands.set(device, new Set([device.userId]));
      device.disk.onCommit((commit) => hear(device, commit));
      device.disk.onDeleted((database) => deleted(device, database));
    },
    watchTab: (tab) => void tabs.set(tab.life, [...(tabs.get(tab.life) ?? []), tab]),
    makerOf,
    stored: (path, file) => void (broken ??= i17Put(path, file.by, makerOf)),
    comes: (device, userId) => {
      hands.get(device)?.add(userId);
      coming.set(device, [...(coming.get(device) ?? []), userId]);
    },
    came: (device, userId) => {
      const others = (coming.get(device) ?? []).filter((one) => one !== userId);
      coming.set(device, others);
      hands.set(device, new Set([userId, ...others]));
    },
    left: (device, userId) => {
      const room = roomOf(device, userId);
      const now = look(device.disk, room.database);
      const isHere = now !== undefined && (now.outbox.length > 0 || now.photos.length > 0 || now.privateRows.users.length > 0);
      if (isHere && room.leftBefore === Number.POSITIVE_INFINITY) broken ??= new Violation('I17', room.key, 'is still here after its person has logged out');
    },
    leaves: (device, userId) => void (roomOf(device, userId).leftBefore = Number.POSITIVE_INFINITY),
    meaning,
    roomOf,
    rooms: () => [...rooms.values()],
    heard: (tab, answer) => {
      counters.count(answer.kind === 'reset' ? `reset: ${answer.reason}` : answer.more ? 'a page with more to come' : 'an exchange answered');
      if (answer.kind !== 'delta') return;
      const room = roomOf(tab.device, tab.userId);
      const known = answers.get(room.key) ?? new Map<string, boolean>();
      answers.set(room.key, known.set(answer.cookie, !answer.more));
      if (answer.stopped !== undefined) counters.count('an exchange stopped by a fault');
    },
    answered: (answer) => void (broken ??= heads.i18Fresh(answer)),
    told: (tab, uid) => {
      const room = roomOf(tab.device, tab.userId);
      room.told.add(uid);
      try {
        c1SavedWhenComplete(room, uid, durable);
        must(makerOf(uid) === tab.userId, 'I17', room.key, () => `${uid} was made by another than who tapped`);
      } catch (error) {
        broken ??= error;
      }
    },
    diskChanged: (device, how, people = device.people) => {
      if (how === 'powerless') return;
      for (const userId of people) forget(roomOf(device, userId), how);
      const userId = personOn(device);
      if (userId === undefined) return;
      device.userId = userId;
      hands.get(device)?.add(userId);
    },
    databaseRestored: () => {
      meaning.startFrom(backend.committed());
      const forgotten = new Set(decisions.keepOnly(backend.committed().get('sync_mutation') ?? new Map()).map(({ uid }) => uid));
      for (const room of rooms.values()) {
        for (const uid of room.made.keys()) if (forgotten.has(uid)) room.excused.add(uid);
        room.mustSee.clear();
      }
    },
    jobRemoved: (jobId) => {
      for (const room of rooms.values()) for (const [uid, at] of room.mustSee) if (at.jobId === jobId) room.mustSee.delete(uid);
    },
    look: (room) => look(room.device.disk, room.database),
    accuse: (violation) => void (broken ??= violation),
    mustBeWell: () => {
      const fault = backend.fault();
      if (fault !== undefined) throw fault;
      if (broken !== undefined) throw broken;
    },
  };
}
