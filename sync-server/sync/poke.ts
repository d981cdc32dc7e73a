import { hasSubscription, type Actor } from '../../shared/actor.ts';
import { collections, type CollectionName } from '../../shared/tables/collections.ts';
import type { Seen } from '../db/notice-restore.ts';
import type { Commits, SyncStore } from '../store/sync-store.ts';
import { findActors } from './find-actors.ts';
import type { SyncLog } from './sync-parts.ts';

/** Milliseconds: commits closer together than `gap` cause one poke; a failed read is tried again after `retry`. */
const pace = { gap: 15, retry: 1_000 } as const;

/**
 * Milliseconds. Cached values count only while they are fresh (S10): delivery of notices was proved within `proof`, and the head was read
 * from the database within `head`, which happens every `look` even without a notice.
 */
export const freshness = { proof: 20_000, head: 30_000, look: 20_000 } as const;

export interface PokeListener {
  userId: string;
  /** The commit version the device has seen, where it says so. */
  since?: string | undefined;
  onPoke(): void;
}

export interface Poke {
  /** Begins to listen. */
  start(): Promise<void>;
  /** The newest commit version this instance knows of. */
  headVersion(): string;
  /** The same with its timeline; undefined before the first read. */
  seen(): Seen | undefined;
  /** The same where it may be relied on (S10); undefined where only the database can say, because notices may have been missed. */
  freshHead(): string | undefined;
  /** How fresh this instance's cached values are. */
  memory(): Memory;
  /** Devices with a stream on this instance. */
  listeners(): number;
  /** Milliseconds since the oldest commit that this instance was notified of and has not poked for yet; 0 where there is none. */
  oldestUnsentMs(): number;
  /** Pokes this device whenever something it may see changed; at once where it has not seen the head. Returns the function that ends it. */
  connect(listener: PokeListener): Promise<() => void>;
  /**
   * Called with the people whose account a commit changed, and with it perhaps their rights, as soon as this instance is notified; for as
   * long as it runs. `'everybody'` after a restore.
   */
  onAccounts(heard: (userIds: ReadonlySet<string> | 'everybody') => void): void;
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

interface Connection extends PokeListener {
  /** Undefined: no profile yet. */
  actor: Actor | undefined;
  /** Its rights are known. */
  isReady: boolean;
}

interface Changed {
  people: ReadonlySet<string>;
  collections: readonly CollectionName[];
}

/** Those of the collections that this release has. */
const known = ({ collections: names }: Commits) =>
  names.filter((collection): collection is CollectionName => collection in collections);

/**
 * Pokes the devices that a commit concerns, and never says what changed (P8). Only the people in a change's audience, and the readers of
 * its collection, are poked.
 */
export function openPoke({ store, clock, log }: { store: SyncStore; clock: () => Date; log: SyncLog }): Poke {
  const connections = new Set<Connection>();
  const watching = new Set<Parameters<Poke['onAccounts']>[0]>();
  let head = '0';
  let lineage: string | undefined;
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
   * One read at a time however many notices come; what comes meanwhile is covered by the next. A notice's payload is not needed: versions
   * lost with a connection are found all the same.
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

  async function look(): Promise<void> {
    const begun = { at: clock().getTime(), connection: store.hearing()?.connection };
    await catchUp();
    looked = begun;
  }

  async function catchUp(): Promise<void> {
    let commits = await store.single.commitsAfter(head);
    if (commits.isMoved || (commits.timeline === lineage && BigInt(commits.head) < BigInt(head))) {
      await store.noticeRestore(log, lineage === undefined ? undefined : { lineage, head });
      commits = await store.single.commitsAfter(head);
    }
    const isSameLife = lineage === undefined || commits.timeline === lineage;
    if (!isSameLife) log.warn({ before: lineage, lineage: commits.timeline }, 'the database has another timeline');
    const changed = {
      people: new Set(commits.people),
      accounts: new Set(commits.accounts),
      collections: known(commits),
    };
    // What a person may read goes by their own row alone.
    const touched = [...connections].filter(({ userId }) => !isSameLife || changed.accounts.has(userId));
    const actors = await findActors(store, [...new Set(touched.map(({ userId }) => userId))]);
    for (const connection of touched) connection.actor = actors.get(connection.userId);
    ({ head, timeline: lineage } = commits);
    for (const heard of watching) heard(isSameLife ? changed.accounts : 'everybody');
    const now = clock().toISOString();
    for (const connection of connections) if (!isSameLife || concerns(changed, connection, now)) tell(connection);
  }

  function tell(connection: Connection): void {
    try {
      connection.onPoke();
    } catch (error) {
      log.warn({ err: error }, 'could not poke a device');
    }
  }

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
    seen: () => (lineage === undefined ? undefined : { lineage, head }),
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
    listeners: () => [...connections].filter(({ isReady }) => isReady).length,
    oldestUnsentMs: () => (unsentSince === undefined ? 0 : performance.now() - unsentSince),
    async connect(listener) {
      const connection: Connection = { ...listener, actor: undefined, isReady: false };
      // Listening comes first: what is committed while the rights are read is not missed.
      connections.add(connection);
      try {
        connection.actor = (await findActors(store, [listener.userId])).get(listener.userId);
      } catch (error) {
        connections.delete(connection);
        throw error;
      }
      connection.isReady = true;
      if (listener.since !== head) tell(connection);
      return () => void connections.delete(connection);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      clearInterval(headTimer);
      connections.clear();
      await looking;
      await stopListening?.();
    },
  };
}

function concerns({ people, collections: changed }: Changed, { userId, actor }: Connection, now: string): boolean {
  if (people.has(userId)) return true;
  return changed.some(
    (collection) =>
      collections[collection].readers === 'public' || (actor !== undefined && hasSubscription(actor, now)),
  );
}
