import pLimit from 'p-limit';
import type { ExchangeAnswer, ExchangeRequest } from '../../shared/protocol/exchange.ts';
import { collections, type CollectionName } from '../../shared/tables/collections.ts';
import type { Seen } from '../db/notice-restore.ts';
import type { Commits, SyncStore } from '../store/sync-store.ts';
import { mayRead, type SharedChange } from './carried-changes.ts';
import type { CollectionPort } from './collection-port.ts';
import type { Exchange } from './exchange.ts';
import { heldRegions } from './cut-to-regions.ts';
import { findActors } from './find-actors.ts';
import { createListeningDevice, type ListeningDevice, type PokeListener } from './listening-device.ts';
import { pull } from './pull.ts';
import { readSharedChange } from './read-shared-change.ts';
import type { SyncLog } from './sync-parts.ts';

/** Milliseconds: commits closer together than `gap` cause one poke; a failed read is tried again after `retry`. */
const pace = { gap: 15, retry: 1_000 } as const;

/**
 * Milliseconds. Cached values count only while they are fresh (S10): delivery of notices was proved within `proof`, and
 * the head was read from the database within `head`, which happens every `look` even without a notice.
 */
export const freshness = { proof: 20_000, head: 30_000, look: 20_000 } as const;

export interface Poke {
  /** Begins to listen. */
  start(): Promise<void>;
  /** The newest commit version this instance knows of. */
  headVersion(): string;
  /** The same with its timeline; undefined before the first read. */
  seen(): Seen | undefined;
  /**
   * The same where it may be relied on (S10); undefined where only the database can say, because notices may have been
   * missed.
   */
  freshHead(): string | undefined;
  /** How fresh this instance's cached values are. */
  memory(): Memory;
  /** Devices with a stream on this instance. */
  listeners(): number;
  /** Milliseconds since the oldest commit that this instance was notified of and has not poked for; 0 without one. */
  oldestUnsentMs(): number;
  /**
   * Tells this device whenever something it may see changed; pokes it at once where it has not seen the head. Returns
   * the function that ends it.
   */
  connect(listener: PokeListener): Promise<() => void>;
  /** Reads what was committed, as after a notice: what this instance has committed it need not be told. */
  look(): void;
  /** The same exchange, whose answer says where the device stands that listens (P10). */
  watching(exchange: Exchange): Exchange;
  /**
   * Called with the people whose account a commit changed, and with it perhaps their rights, as soon as this instance
   * is notified; for as long as it runs. `'all'` after a restore.
   */
  onAccounts(heard: (userIds: ReadonlySet<string> | 'all') => void): void;
  close(): Promise<void>;
}

export interface Memory {
  /** Answers are given from memory only where it is. */
  isFresh: boolean;
  /** Milliseconds since the head was read from the database; null where it never was. */
  headAgeMs: number | null;
  /** Milliseconds since it was proved that notices arrive; null where it was not. */
  proofAgeMs: number | null;
}

/** Pulls for listening devices under way at once, and waiting at most: devices beyond that are poked, and ask later. */
const pulls = { atOnce: 2, waiting: 60 } as const;

export interface PokeParts {
  store: SyncStore;
  clock: () => Date;
  log: SyncLog;
  /**
   * What changes are read by, so that events can carry them (P10); without it devices are only poked. The store is one
   * that takes few connections: whatever is carried must not compete with exchanges.
   */
  carrying?: { store: SyncStore; collections: CollectionPort } | undefined;
}

interface Changed {
  people: ReadonlySet<string>;
  collections: readonly CollectionName[];
}

/** Those of the collections that this release has. */
const known = ({ collections: names }: Commits) =>
  names.filter((collection): collection is CollectionName => collection in collections);

/**
 * Tells the devices that a commit concerns: only those of the people in a change's audience, and of the readers of its
 * collection. A device that takes changes is sent its own answer, where that is small (P10); any other is told to look
 * again (P8).
 */
export function openPoke({ store, clock, log, carrying }: PokeParts): Poke {
  const devices = new Set<ListeningDevice>();
  /** Those whose rights are known by now. */
  const ready = new WeakSet<ListeningDevice>();
  /** The devices that take changes, by person and device. */
  const byName = new Map<string, Set<ListeningDevice>>();
  const pulling = pLimit(pulls.atOnce);
  const watching = new Set<Parameters<Poke['onAccounts']>[0]>();
  let head = '0';
  let timeline: string | undefined;
  let stopListening: (() => Promise<void>) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isStale = false;
  let isClosed = false;
  /** When the oldest notice came that no read has covered yet; a failed read covers none. */
  let unsentSince: number | undefined;
  /** When the last successful read began, and which connection listened by then. */
  let looked: { at: number; connection: number | undefined } | undefined;
  let headTimer: NodeJS.Timeout | undefined;

  /**
   * One read at a time however many notices come; what comes meanwhile is covered by the next. A notice's payload is
   * not needed: versions lost with a connection are found all the same.
   */
  function notice(): void {
    isStale = true;
    unsentSince ??= performance.now();
    if (looking !== undefined || timer !== undefined || isClosed) return;
    isStale = false;
    looking = look()
      .then(
        () => {
          unsentSince = isStale ? performance.now() : undefined;
          return pace.gap;
        },
        (error: unknown) => {
          log.warn({ err: error }, 'could not read what changed; trying again');
          isStale = true;
          return pace.retry;
        },
      )
      .then((wait) => {
        looking = undefined;
        if (isClosed) return;
        timer = setTimeout(() => {
          timer = undefined;
          if (isStale) notice();
        }, wait).unref();
      });
  }

  /** Listening comes first: what is committed while the rights are read is not missed. */
  function enter(device: ListeningDevice): () => void {
    const { userId, changes } = device.listener;
    const name = changes === undefined ? undefined : nameOf(userId, changes.device);
    devices.add(device);
    if (name !== undefined) byName.set(name, (byName.get(name) ?? new Set()).add(device));
    return () => {
      devices.delete(device);
      const alike = name === undefined ? undefined : byName.get(name);
      if (name === undefined || alike === undefined) return;
      alike.delete(device);
      if (alike.size === 0) byName.delete(name);
    };
  }

  async function look(): Promise<void> {
    const begun = { at: clock().getTime(), connection: store.hearing()?.connection };
    await catchUp();
    looked = begun;
  }

  async function catchUp(): Promise<void> {
    let { commits, shared } = await readCommits();
    if (commits.isMoved || (commits.timeline === timeline && BigInt(commits.head) < BigInt(head))) {
      await store.noticeRestore(log, timeline === undefined ? undefined : { timeline, head });
      ({ commits, shared } = await readCommits());
    }
    const isSameTimeline = timeline === undefined || commits.timeline === timeline;
    if (timeline !== undefined && !isSameTimeline)
      store.noticeTimeline?.({ timeline: commits.timeline, ended: [timeline] });
    if (!isSameTimeline)
      log.warn({ before: timeline, timeline: commits.timeline }, 'the database has another timeline');
    const changed = {
      people: new Set(commits.people),
      accounts: new Set(commits.accounts),
      collections: known(commits),
    };
    // What a person may read goes by their own row alone.
    const touched = [...devices].filter(({ listener }) => !isSameTimeline || changed.accounts.has(listener.userId));
    const actors = await findActors(store, [...new Set(touched.map(({ listener }) => listener.userId))]);
    for (const device of touched) device.actor = actors.get(device.listener.userId);
    ({ head, timeline } = commits);
    for (const heard of watching) heard(isSameTimeline ? changed.accounts : 'all');
    const now = clock().toISOString();
    for (const device of devices) {
      if (!isSameTimeline) device.forget();
      if (!isSameTimeline || concerns(changed, device, now))
        device.tell(changed.people.has(device.listener.userId) ? undefined : shared);
    }
  }

  /** What was committed, and, where devices take changes, what it changed for all readers, of one snapshot. */
  async function readCommits(): Promise<{ commits: Commits; shared: SharedChange | undefined }> {
    const now = clock().toISOString();
    const standing = [...devices].filter((device) => device.standing() !== undefined);
    if (carrying === undefined || standing.length === 0)
      return { commits: await store.single.commitsAfter(head), shared: undefined };
    return store.snapshot(async (tx) => {
      const commits = await tx.commitsAfter(head);
      const changed = known(commits);
      const reader = standing.find(({ actor }) => changed.every((name) => mayRead(name, actor, now)));
      const isReadable = changed.length > 0 && commits.timeline === timeline && !commits.isMoved;
      if (reader === undefined || !isReadable) return { commits, shared: undefined };
      const withPlaces =
        changed.includes('feed') && standing.some((device) => heldRegions(device.standing()?.regions) !== undefined);
      const question = { readerId: reader.listener.userId, after: head, timeline: commits.timeline, now, withPlaces };
      return { commits, shared: await readSharedChange(tx, carrying.collections, question) };
    });
  }

  function ask(userId: string, request: ExchangeRequest): Promise<ExchangeAnswer> | undefined {
    if (carrying === undefined || pulling.pendingCount >= pulls.waiting) return undefined;
    const parts = { ...carrying, clock, log, seen };
    return pulling(
      async () => (await pull(parts, userId, request, { stopped: undefined, reused: [], restoring: [] })).answer,
    );
  }

  const seen = () => (timeline === undefined ? undefined : { timeline, head });
  const onError = (error: unknown) => log.warn({ err: error }, 'could not poke a device');

  function isFresh(): boolean {
    const hearing = store.hearing();
    if (looked === undefined || hearing === undefined || looked.connection !== hearing.connection) return false;
    const age = clock().getTime() - looked.at;
    return age >= 0 && age <= freshness.head && hearing.ageMs <= freshness.proof;
  }

  return {
    async start() {
      stopListening = await store.listen(notice);
      head = await store.single.readHead();
      notice();
      headTimer = setInterval(notice, freshness.look).unref();
    },
    headVersion: () => head,
    seen,
    freshHead: () => (isFresh() ? head : undefined),
    memory: () => {
      const proofAgeMs = store.hearing()?.ageMs ?? Infinity;
      return {
        isFresh: isFresh(),
        headAgeMs: looked === undefined ? null : clock().getTime() - looked.at,
        proofAgeMs: Number.isFinite(proofAgeMs) ? Math.round(proofAgeMs) : null,
      };
    },
    onAccounts: (heard) => void watching.add(heard),
    look: notice,
    listeners: () => [...devices].filter((device) => ready.has(device)).length,
    oldestUnsentMs: () => (unsentSince === undefined ? 0 : performance.now() - unsentSince),
    async connect(listener) {
      const device = createListeningDevice(listener, { clock, head: () => head, ask, onError });
      const leave = enter(device);
      try {
        device.actor = (await findActors(store, [listener.userId])).get(listener.userId);
      } catch (error) {
        leave();
        throw error;
      }
      ready.add(device);
      if (listener.since !== head) device.poke();
      return leave;
    },
    watching: (exchange) => async (person, request) => {
      const name = person.device === undefined ? undefined : nameOf(person.userId, person.device);
      const ends = Array.from((name !== undefined && byName.get(name)) || [], (device) => device.exchangeBegins());
      let answer: ExchangeAnswer | undefined;
      try {
        answer = await exchange(person, request);
        return answer;
      } finally {
        for (const end of ends) end(request, answer);
      }
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      clearInterval(headTimer);
      devices.clear();
      byName.clear();
      pulling.clearQueue();
      await looking;
      await stopListening?.();
    },
  };
}

const nameOf = (userId: string, device: string) => `${userId.toLowerCase()} ${device}`;

function concerns(
  { people, collections: changed }: Changed,
  { listener, actor }: ListeningDevice,
  now: string,
): boolean {
  return people.has(listener.userId) || changed.some((collection) => mayRead(collection, actor, now));
}
