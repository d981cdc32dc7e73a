import type { ExchangeAnswer } from '../../shared/protocol/exchange.ts';
import type { Device, Tab } from '../device/device.ts';
import type { Commit } from '../device/disk.ts';
import type { Life } from '../time/loop.ts';
import type { Backend } from '../world/backend.ts';
import type { Counters } from '../world/counters.ts';
import { argsHash } from '../../sync-server/sync/args-hash.ts';
import { atAnyTime, i12BytesKept, type Seen } from './at-any-time.ts';
import { c1SavedWhenComplete, i11OneLeader, i13OwnDatabase } from './at-a-commit.ts';
import type { Decisions } from './decisions.ts';
import { i5Replay } from './i5-replay.ts';
import { newRoom, type Room } from './room.ts';
import { look, sightedStores, type Sighting } from './sighting.ts';

export interface JudgeParts {
  backend: Backend;
  decisions: Decisions;
  bucket: ReadonlyMap<string, number>;
  counters: Counters;
  now(): number;
}

/** Keeps the books about every person on every device, and holds each moment against the rules. */
export interface Judge {
  watchDisk(device: Device): void;
  watchTab(tab: Tab): void;
  roomOf(device: Device, userId: string): Room;
  rooms(): readonly Room[];
  /** An answer reached this tab; whether it takes it in is another matter. */
  heard(tab: Tab, answer: ExchangeAnswer): void;
  /** "Saved on this phone." */
  told(tab: Tab, uid: string): void;
  /** The person's disk is not what it was (wiped, rolled back): what is gone with it was nobody's fault. */
  diskChanged(device: Device, how: 'wiped' | 'rolled back' | 'powerless'): void;
  /** The server's database was put back: what it forgot is excused. */
  databaseRestored(): void;
  /** A job was taken away by an operator. */
  jobRemoved(jobId: string): void;
  look(room: Room): Sighting | undefined;
  /** Somebody else saw a rule broken. */
  accuse(violation: unknown): void;
  /** Throws the first rule that was broken since it was last asked. */
  mustBeWell(): Promise<void>;
}

export function createJudge({ backend, decisions, bucket, counters }: JudgeParts): Judge {
  const rooms = new Map<string, Room>();
  const byDatabase = new Map<string, Room>();
  const tabs = new Map<Life, Tab>();
  const answers = new Map<string, Map<string, boolean>>();
  /** Durable at some moment, whatever came after. */
  const durable = new Set<string>();
  let broken: unknown;
  let replays: Promise<void>[] = [];
  let made = 0;

  const databaseOf = (device: Device, userId: string) => `${device.name}-dwang-${userId}`;

  function roomOf(device: Device, userId: string): Room {
    const database = databaseOf(device, userId);
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
      room.made.set(uid, { uid, name, args, argsHash: argsHash(name, args), order: made, version: Number(now.place?.v ?? 0) });
      counters.count(`made: ${name}`);
      const { id = '', jobId = '' } = args as { id?: string; jobId?: string };
      if (name === 'job.post') room.mustSee.set(uid, { table: 'jobs', id, jobId: id });
      if (name === 'interest.express') room.mustSee.set(uid, { table: 'interests', id, jobId });
    }
    for (const { id, path } of now.photos) if (!room.photos.has(id)) room.photos.set(id, path);
  }

  /** Applied though somebody else had been there: the "applied" lines of the table of conflicts (sync.md section 5). */
  decisions.onDecided(({ userId, uid, status }, before) => {
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
    lineage: backend.lineage,
    isWhole: (cookie) => answers.get(room.key)?.get(cookie),
  });

  function judge(room: Room, now: Sighting): void {
    noteMade(room, now);
    const seen = seenOf(room, now);
    for (const holds of atAnyTime) holds(seen);
    i12BytesKept(seen, bucket);
    counters.count('a moment judged');
    replays.push(i5Replay(room, now).catch((error: unknown) => void (broken ??= error)));
    room.lastOutbox = now.outbox;
    room.lastRefused = new Set(now.refused.map(({ uid }) => uid));
  }

  function hear(device: Device, commit: Commit): void {
    counters.count(commit.hasWritten ? 'a write committed on a device' : 'a read on a device');
    const room = byDatabase.get(commit.database);
    if (room === undefined || broken !== undefined) return;
    if (!commit.hasWritten || !sightedStores.some((store) => commit.stores.has(store))) return;
    try {
      const tab = tabs.get(commit.life);
      i13OwnDatabase(room, tab);
      // Whoever has committed into it is still alone with it, whatever others are writing elsewhere.
      if (commit.stores.has('meta')) i11OneLeader(room, tab);
      const now = look(device.disk, commit.database);
      if (now !== undefined) judge(room, now);
    } catch (error) {
      broken = error;
    }
  }

  return {
    watchDisk: (device) => {
      for (const userId of device.people) roomOf(device, userId);
      device.disk.onCommit((commit) => hear(device, commit));
    },
    watchTab: (tab) => void tabs.set(tab.life, tab),
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
    told: (tab, uid) => {
      const room = roomOf(tab.device, tab.userId);
      room.told.add(uid);
      try {
        c1SavedWhenComplete(room, uid, durable);
      } catch (error) {
        broken ??= error;
      }
    },
    diskChanged: (device, how) => {
      for (const userId of device.people) {
        const room = roomOf(device, userId);
        const now = look(device.disk, room.database);
        if (how === 'powerless') continue;
        const here = new Set([...(now?.outbox ?? []), ...(now?.refused ?? [])].map(({ uid }) => uid));
        for (const uid of room.made.keys()) if (!here.has(uid)) room.excused.add(uid);
        if (how === 'wiped') for (const uid of room.made.keys()) room.excused.add(uid);
        for (const id of room.photos.keys()) if (!now?.photos.some((photo) => photo.id === id)) room.droppedPhotos.add(id);
        room.highest.clear();
        room.mustSee.clear();
        room.wasRolledBack = true;
        Object.assign(room, { lastOutbox: now?.outbox ?? [], lastRefused: new Set(now?.refused.map(({ uid }) => uid)), cookie: now?.cookie });
        answers.delete(room.key);
      }
    },
    databaseRestored: () => {
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
    mustBeWell: async () => {
      const running = replays;
      replays = [];
      await Promise.all(running);
      const fault = backend.fault();
      if (fault !== undefined) throw fault;
      if (broken !== undefined) throw broken;
    },
  };
}
