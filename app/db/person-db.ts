import type { Dexie, DexieOptions, EntityTable, Table } from 'dexie';
import { openDb } from './abort-on-pagehide.ts';
import { withConnection } from './connection.ts';
import { createCommitNotes, lastCommit, type CommitNotes } from './note-commits.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { createPrivateRows, storesInMemory, type CommitChannel, type PrivateRows } from './private-rows.ts';
import type { JournalEntry, MetaEntry, OutboxEntry, RejectedEntry, ServerRow } from './queue-records.ts';
import { notesTransactions } from './transactions-under-way.ts';
import { privateTableNames, privateTables, type PrivateTableName, type RowOf } from '../../shared/tables/index.ts';
import type { Manifest } from '../../shared/protocol/segment.ts';
import type { CollectionName } from '../../shared/tables/collections.ts';

export type { JournalEntry, MetaEntry, OutboxEntry, RejectedEntry, ServerRow };

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

/**
 * Bytes of a photo that is on its job, or of a logo (its id is its reference), for storage that is restored to a time
 * before that.
 */
export interface KeptPhoto extends Pick<PhotoEntry, 'id' | 'path' | 'bytes' | 'type'> {
  /** Bytes of the kept photos up to and with it, since there were none. */
  upTo: number;
}

export interface LogEntry {
  seq: number;
  at: string;
  event: string;
  detail: string;
}

/** A half-written form (`draft-slots.ts`), or one of its photos. */
export interface Draft {
  key: string;
  value: unknown;
  savedAt: string;
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
  readonly journal: EntityTable<JournalEntry, 'uid'>;
  readonly photos: EntityTable<PhotoEntry, 'id'>;
  readonly keptPhotos: EntityTable<KeptPhoto, 'id'>;
  readonly meta: EntityTable<MetaEntry, 'key'>;
  readonly log: EntityTable<LogEntry, 'seq'>;
  readonly drafts: EntityTable<Draft, 'key'>;
  /** Profiles opened while signed in, with their contacts, for reading again without signal. */
  readonly profiles: EntityTable<SavedProfile, 'id'>;
}

/** `underWay`: the transactions of this connection that have not ended. `rows`: what screens read, in memory. */
export type PersonDb = Dexie &
  PrivateStores &
  CollectionStores &
  QueueStores & {
    readonly underWay: ReadonlySet<object>;
    readonly rows: PrivateRows;
    readonly commits: Omit<CommitNotes, 'middleware'>;
  };
export type CollectionDb = Dexie & CollectionStores;

const collectionStores = { segments: 'hash, shelf', fresh: '[shelf+id], [shelf+version]', shelfStates: 'shelf' };

/**
 * Stores that a power cut may roll back: the server gives the rows again, or they are a log. Everything else waits for
 * the disk.
 */
const mayBeLost: ReadonlySet<string> = new Set([...Object.keys(collectionStores), 'log']);

/**
 * A writing transaction that names this store, and none that holds a person's own work in progress, writes what the
 * server said. It does not wait for the disk either: the device would ask for the same again. The browser writes all
 * transactions into one log, so that a later one never survives without it.
 */
export const received = 'profiles' satisfies keyof QueueStores;
const isReceived = (stores: readonly string[]) => stores.includes(received) && !stores.includes('drafts');

const queueStores = {
  shadow: '[table+id]',
  outbox: '++seq, &uid, state, restoring',
  refused: 'uid, seq',
  journal: 'uid, timeline, keptAt, upTo',
  photos: 'id, jobId, state',
  keptPhotos: 'id, upTo',
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

/** What the keys of a draft's photos begin with. */
export const photoDraftsOf = (draftKey: string) => `${draftKey}/photo/`;

export const personDbName = (userId: string) => `dwang-${userId}`;
export const publicDbName = 'dwang-public';

/**
 * One person's database on this device; another person gets another (C10). Outbox writes are strictly durable (C1).
 * Dexie's own cache is off: what is shown before it is on the disk is said to be so (`rows`, in the state "saving").
 * `commits`: how tabs tell each other what they wrote. `name` is for tests, which open several devices of one person in
 * one process.
 */
export function openPersonDb(
  userId: string,
  { name, commits, ...options }: DexieOptions & { name?: string; commits?: CommitChannel } = {},
): PersonDb {
  const db = openDb(name ?? personDbName(userId), {
    chromeTransactionDurability: 'strict',
    cache: 'disabled',
    ...options,
  });
  // 2: marks, searches, preferences. 3: the journal, and the photos kept with it. 4: what waits for a restore, found
  // without walking through a long queue. Dexie itself compares with what is
  // there, so that the stores of version 1 need not be named.
  db.version(4).stores({ ...privateStores(), ...queueStores, ...collectionStores });
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
  db.on('close', () => underWay.clear());
  const rows = createPrivateRows({
    channel: commits,
    lastCommit: () => lastCommit(db.table('meta')),
    readAll: () =>
      withConnection(db, () =>
        db.transaction('r', [...storesInMemory], async () => {
          const [at, ...records] = await Promise.all([
            lastCommit(db.table('meta')),
            ...storesInMemory.map((store): PromiseLike<object[]> => db.table(store).toArray()),
          ]);
          return { at, records };
        }),
      ),
  });
  const notes = createCommitNotes(storesInMemory, rows);
  db.use(notes.middleware);
  return Object.assign(db as PersonDb, { underWay, rows, commits: notes });
}

/** The public collections, shared by all who use this browser, signed out too. */
export function openPublicDb(options: DexieOptions = {}): CollectionDb {
  const db = openDb(publicDbName, { chromeTransactionDurability: 'relaxed', ...options });
  db.version(1).stores(collectionStores);
  db.use(oneAtATime('shelfStates'));
  return db as CollectionDb;
}
