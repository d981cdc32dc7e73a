import { Dexie, type DexieOptions, type EntityTable, type Table } from 'dexie';
import type { MutationName } from '../../shared/mutations/index.ts';
import type { RejectionFields } from '../../shared/mutations/rejection.ts';
import { abortOnPageHide } from './abort-on-pagehide.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { notesTransactions } from './transactions-under-way.ts';
import { privateTableNames, privateTables, type PrivateTableName, type RowOf } from '../../shared/tables/index.ts';
import type { Manifest } from '../../shared/protocol/segment.ts';
import type { CollectionName } from '../../shared/tables/collections.ts';

/** What the server last said of a row that a waiting mutation has touched; `row: null` where it had no such row. */
export interface ServerRow {
  table: PrivateTableName;
  id: string;
  row: unknown;
}

/** A mutation in the outbox. `new` was never sent and may be cancelled; `sent` may have reached the server (C7). */
export interface OutboxEntry {
  seq: number;
  uid: string;
  name: MutationName;
  args: unknown;
  /** ISO instant of the tap, by this device's clock. */
  at: string;
  state: 'new' | 'sent';
  attempts: number;
  /** Why the last attempt failed although something answered, for the person to read; null for want of signal. */
  lastError: string | null;
  /** Rows it read from a collection, kept so that it can be replayed without the collection. */
  base: { table: PrivateTableName; row: unknown }[];
}

/** Rejected, or a dead letter that waits for an operator: kept with its text until the person has dealt with it. */
export interface RejectedEntry {
  uid: string;
  seq: number;
  name: MutationName;
  args: unknown;
  at: string;
  status: 'refused' | 'parked';
  code: string;
  message: string;
  fields: RejectionFields | null;
  refusedAt: string;
  /** As in the outbox: what it was about, also where that is on this device no more. Absent in those of earlier releases. */
  base?: OutboxEntry['base'];
}

/** Photo bytes that wait for their upload. Never a Blob: WebKit loses those. */
export interface PhotoEntry {
  id: string;
  jobId: string;
  /** Path inside the bucket, fixed when the photo was picked, so that a repeated upload is the same upload. */
  path: string;
  bytes: ArrayBuffer;
  type: string;
  name: string;
  state: 'waiting' | 'uploading' | 'uploaded' | 'failed';
  attempts: number;
  error: string | null;
  /** ISO instant. */
  addedAt: string;
}

export interface LogEntry {
  seq: number;
  at: string;
  event: string;
  detail: string;
}

/** A half-written form, photos included as ArrayBuffers. */
export interface Draft {
  key: string;
  value: unknown;
  savedAt: string;
}

/**
 * `cookie`: string, where the last answer left off. `snapshot`: ids seen so far of a snapshot that is still coming, by table.
 * `canary`: ISO instant of the first answer applied; gone means the device was cleared (C4). `leader`: `{ epoch, beat }` (C6).
 * `lastSynced`: ISO instant by this device's clock. `serverTimeOffset`: server's clock minus this device's, ms.
 * `applied`: `{ uid, name, id }[]`, the last few that the server applied, so that "done" is said on evidence. `look`: `{ since, at }`,
 * ISO instants, of the person's visits to the feed; `home`, of those to the dashboard. `filters`: of Find Jobs, as they were left.
 * `spare`: true once this database was compared with the outbox backup. `alertsDeclined`: ISO instant of "Not now". `place`: where this
 * phone was, `{ latitude, longitude, at }`, to about a kilometre, with its person's permission; in no other store, and in no request.
 */
export interface MetaEntry {
  key:
    | 'cookie'
    | 'snapshot'
    | 'canary'
    | 'leader'
    | 'lastSynced'
    | 'serverTimeOffset'
    | 'device'
    | 'applied'
    | 'look'
    | 'filters'
    | 'home'
    | 'spare'
    | 'alertsDeclined'
    | 'place';
  value: unknown;
}

export interface SegmentEntryOnDevice {
  hash: string;
  shelf: CollectionName;
  text: string;
}

/** A row that changed since the snapshot was built; `row: null` where it left the collection. */
export interface ChangedRow {
  shelf: CollectionName;
  id: string;
  row: unknown;
  /** The collection version at which it came, zero-padded so that it sorts as text. */
  version: string;
}

export interface CollectionState {
  shelf: CollectionName;
  /** What the exchange asks from: null until a manifest is here. */
  version: string | null;
  /** The timeline that `version` is of. Without one (written by an older app) the version counts as none. */
  timeline?: string | null;
  manifest: Manifest | null;
  /** A newer manifest whose segments are still coming; it replaces `manifest` when the last is here. */
  coming: Manifest | null;
  denied: boolean;
  updatedAt: string | null;
}

type PrivateStores = { readonly [Name in PrivateTableName]: EntityTable<RowOf<Name>, 'id'> };

export interface CollectionStores {
  readonly segments: EntityTable<SegmentEntryOnDevice, 'hash'>;
  readonly fresh: Table<ChangedRow, [CollectionName, string]>;
  readonly shelfStates: EntityTable<CollectionState, 'shelf'>;
}

/** `readAt`: ISO instant. Without the time it was made, which only its owner may see. */
export type SavedProfile = Omit<RowOf<'tradies'>, 'createdAt'> & {
  readAt: string;
  registeredName?: string | undefined;
};

export interface QueueStores {
  readonly shadow: Table<ServerRow, [PrivateTableName, string]>;
  readonly outbox: EntityTable<OutboxEntry, 'seq'>;
  readonly refused: EntityTable<RejectedEntry, 'uid'>;
  readonly photos: EntityTable<PhotoEntry, 'id'>;
  readonly meta: EntityTable<MetaEntry, 'key'>;
  readonly log: EntityTable<LogEntry, 'seq'>;
  readonly drafts: EntityTable<Draft, 'key'>;
  /** Profiles opened while signed in, with their contacts, for reading again without signal. */
  readonly profiles: EntityTable<SavedProfile, 'id'>;
}

/** `underWay`: the transactions of this connection that have not ended. */
export type PersonDb = Dexie &
  PrivateStores &
  CollectionStores &
  QueueStores & { readonly underWay: ReadonlySet<object> };
export type CollectionDb = Dexie & CollectionStores;

const collectionStores = { segments: 'hash, shelf', fresh: '[shelf+id], [shelf+version]', shelfStates: 'shelf' };

/** Stores that a power cut may roll back: the server gives the rows again, or they are a log. Everything else waits for the disk. */
const mayBeLost: ReadonlySet<string> = new Set([...Object.keys(collectionStores), 'log']);

/**
 * A writing transaction that names this store, and none that holds a person's own work in progress, writes what the server said. It does
 * not wait for the disk either: the device would ask for the same again. The browser writes all transactions into one log, so that a later
 * one never survives without it.
 */
export const received = 'profiles' satisfies keyof QueueStores;
const isReceived = (stores: readonly string[]) => stores.includes(received) && !stores.includes('drafts');

const queueStores = {
  shadow: '[table+id]',
  outbox: '++seq, &uid, state',
  refused: 'uid, seq',
  photos: 'id, jobId, state',
  meta: 'key',
  log: '++seq',
  drafts: 'key',
  profiles: 'id',
};

function privateStores(): Record<string, string> {
  return Object.fromEntries(
    privateTableNames.map((name) => {
      const unique = privateTables[name].unique.map((columns) => `[${columns.join('+')}]`);
      return [name, ['id', ...privateTables[name].indexes, ...unique].join(', ')];
    }),
  );
}

export const personDbName = (userId: string) => `dwang-${userId}`;
export const publicDbName = 'dwang-public';

/**
 * One person's database on this device; another person gets another (C10). Outbox writes are strictly durable (C1).
 * Dexie's own cache is off: a screen shows what is on the disk, never what is about to be.
 * `name` is for tests, which open several devices of one person in one process.
 */
export function openPersonDb(userId: string, { name, ...options }: DexieOptions & { name?: string } = {}): PersonDb {
  const db = new Dexie(name ?? personDbName(userId), {
    chromeTransactionDurability: 'strict',
    cache: 'disabled',
    ...options,
  });
  // 2: marks, searches, preferences. Dexie itself compares with what is there, so that the stores of version 1 need not be named.
  db.version(2).stores({ ...privateStores(), ...queueStores, ...collectionStores });
  db.use({
    stack: 'dbcore',
    name: 'relaxed-where-it-may-be',
    create: (core) => ({
      ...core,
      transaction: (stores, mode, transactionOptions) =>
        core.transaction(
          stores,
          mode,
          isReceived(stores) || stores.every((store) => mayBeLost.has(store))
            ? { ...transactionOptions, durability: 'relaxed' }
            : transactionOptions,
        ),
    }),
  });
  // The log, because hardly anything reads it.
  db.use(oneAtATime('log'));
  const underWay = new Set<object>();
  db.use(notesTransactions(underWay));
  db.use(abortOnPageHide());
  db.on('close', () => underWay.clear());
  return Object.assign(db as PersonDb, { underWay });
}

/** The public collections, shared by all who use this browser, signed out too. */
export function openPublicDb(options: DexieOptions = {}): CollectionDb {
  const db = new Dexie(publicDbName, { chromeTransactionDurability: 'relaxed', ...options });
  db.version(1).stores(collectionStores);
  db.use(oneAtATime('shelfStates'));
  db.use(abortOnPageHide());
  return db as CollectionDb;
}
