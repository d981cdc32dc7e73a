import type { RandomSource } from '../../shared/lib/id.ts';
import type { Delta, ExchangeAnswer, ExchangeRequest, Outcome } from '../../shared/protocol/exchange.ts';
import type { CarriedChange } from '../../shared/protocol/poke.ts';
import type { PrivateTableName } from '../../shared/tables/index.ts';
import type { CollectionName } from '../../shared/tables/collections.ts';
import type { Clock } from '../db/clock.ts';
import type { OutboxEntry, PersonDb } from '../db/person-db.ts';
import type { Fence } from './fence.ts';

/** Why there is no answer. None of them decides a mutation: everything stays in the outbox. */
export type TransportFailure =
  /** No answer of our server. `heard`: something did answer (a captive portal, half a body), but not our server. */
  | { kind: 'network'; heard: boolean; why: string }
  | { kind: 'unauthorized' }
  /** The token is of another person than the database (S9): this person must sign in again. */
  | { kind: 'other-person' }
  /** Signed in, but onboarding is not finished: the server has no row for this person yet. */
  | { kind: 'profile-missing' }
  | { kind: 'too-large' }
  | { kind: 'too-old' }
  | { kind: 'busy'; retryAfterMs: number }
  /** Our server, but failing, or it did not accept the request (a bug). */
  | { kind: 'server'; status: number; why: string };

/** `requestId`: by which the server's log knows the round trip. */
export type TransportResult = ({ ok: true; answer: ExchangeAnswer } | { ok: false; failure: TransportFailure }) & {
  requestId?: string | undefined;
};

/** One round trip. Never throws; an aborted signal is a `network` failure. */
export type Transport = (request: ExchangeRequest, signal: AbortSignal) => Promise<TransportResult>;

/** What the collections ask. */
export interface CollectionsQuestion {
  /** The versions as they go into the request. */
  versions: ExchangeRequest['shelves'];
  timelines: NonNullable<ExchangeRequest['timelines']>;
  /** Of the feed: the regions that are here, or, without a version, those that are wanted. */
  regions?: ExchangeRequest['regions'];
  /** The position of each collection, so that an answer to another question can be told. */
  marks: Partial<Record<CollectionName, string>>;
}

/**
 * The collections, as the engine needs them: it carries their questions and answers and looks up rows that a mutation
 * is about.
 */
export interface CollectionsPort {
  /** The version this device has of each collection it wants, and whose it is. */
  asked(): Promise<CollectionsQuestion>;
  /**
   * Shows what an answer to this question brings before it is written, where that can be told from memory. The function
   * it gives is called when `apply` has ended. Left out where nothing is shown.
   */
  showEarly?(answers: Delta['shelves'], asked: CollectionsQuestion): () => void;
  /**
   * Called after the private tables' part was applied. `fence`: who asked, and the cookie that the answer brought.
   * `at`: when it came, as people are shown it; this device's time where left out.
   */
  apply(answers: Delta['shelves'], asked: CollectionsQuestion, fence: Fence, at?: string): Promise<void>;
  /**
   * The server cannot use the versions this question named any more (another timeline, a database set back, other
   * columns): ask anew. What is here goes on being shown until the new is whole; a collection that has moved on since
   * is left as it is.
   */
  forgetVersions(asked: CollectionsQuestion): Promise<void>;
  /**
   * Would it ask now for something that this question did not: a collection that has become this person's, what changed
   * since a manifest that just came, or the same again because its answer came too late?
   */
  hasMoreToAsk(asked: CollectionsQuestion): Promise<boolean>;
  /**
   * What would be asked from these versions, where each of them is what is stored now (P10); undefined where one is
   * not. Left out where nothing listens.
   */
  standingAt?(
    versions: ExchangeRequest['shelves'],
    timelines: ExchangeRequest['timelines'],
    regions?: ExchangeRequest['regions'],
  ): Promise<CollectionsQuestion | undefined>;
  /**
   * A row of a private table that is in a collection, widened to the table's row. Called outside of any transaction.
   */
  find(table: PrivateTableName, id: string): Promise<({ id: string } & Record<string, unknown>) | undefined>;
}

/** `navigator.locks`, as far as it is used. */
export interface LocksPort {
  request(
    name: string,
    options: { signal?: AbortSignal; steal?: boolean },
    hold: () => Promise<void>,
  ): Promise<unknown>;
  query(): Promise<{ pending?: { name?: string }[] }>;
}

/** Messages between the tabs of one person (a BroadcastChannel); losing one costs time only. */
export interface ChannelPort {
  post(message: ChannelMessage): void;
  /** Returns the function that unsubscribes. */
  listen(hear: (message: ChannelMessage) => void): () => void;
}

export type ChannelMessage =
  | { kind: 'wake'; reason: WakeReason }
  | { kind: 'status'; phase: string; reach: string; isStorageFull?: boolean }
  /** A visible tab would like to lead; one that is hidden releases the lock. */
  | { kind: 'may-i-lead' };

export type WakeReason =
  | 'enqueue'
  | 'poke'
  | 'timer'
  | 'online'
  | 'offline'
  | 'visible'
  | 'pageshow'
  | 'sync'
  | 'tap'
  | 'signed-in';

/** The access token. */
export interface SessionPort {
  /**
   * A token is at hand, renewed where it was about to end. False: this person has no session here, and nothing can
   * leave.
   */
  isReady(): Promise<boolean>;
  /** After a 401, once: `signed-out` where no new token is to be had, `network` where no answer came. */
  refresh(): Promise<'refreshed' | 'signed-out' | 'network'>;
}

/** What the server decided about one of this device's mutations, reported after the answer is on disk. */
export interface Decided {
  entry: OutboxEntry;
  outcome: Outcome;
}

/** The hooks of the upload queues. */
export interface UploadQueuePort {
  onDecided(decided: readonly Decided[]): void;
  /** The network just worked. */
  afterExchange(): void;
}

/** A mark that this person's database existed on this device, kept somewhere else (C4). */
export interface DeviceMarkPort {
  read(): Promise<boolean>;
  write(): Promise<void>;
}

export interface StoragePort {
  /** `navigator.storage.persist()` (C11). */
  persist(): Promise<boolean>;
  estimate(): Promise<{ usage?: number; quota?: number }>;
}

export type SyncEvent =
  | { kind: 'decided'; decided: readonly Decided[] }
  | { kind: 'rejected'; uid: string; code: string }
  | { kind: 'replaced' }
  | { kind: 'open-blocked' }
  /** Over 80 % of the quota after uploaded photos were deleted: image caches are to be trimmed. */
  | { kind: 'storage-tight' }
  | { kind: 'log'; event: string; detail: string };

export interface SyncPorts {
  db: PersonDb;
  userId: string;
  clock: Clock;
  random: RandomSource & { next(): number };
  transport: Transport;
  session: SessionPort;
  locks: LocksPort;
  channel: ChannelPort;
  collections: CollectionsPort;
  /** Public address under which job photos lie, with a slash at the end. */
  uploads?: UploadQueuePort;
  deviceMark?: DeviceMarkPort;
  storage?: StoragePort;
  /** Streams pokes, and changes that come with them, until aborted; reconnects by itself. */
  pokes?: (onPoke: () => void, signal: AbortSignal, onChange: (change: CarriedChange) => void) => void;
  isVisible(): boolean;
  /** `navigator.onLine`: a hint, never a verdict. */
  seemsOnline(): boolean;
  onEvent?(event: SyncEvent): void;
}
