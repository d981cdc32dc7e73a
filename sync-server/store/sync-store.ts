import type { FollowedBy } from '../effects/record-effects.ts';
import type { KnownFiles } from '../../shared/mutations/own-file.ts';
import type { Outcome } from '../../shared/protocol/exchange.ts';
import type { PrivateTableName, RowOf, TableName, User } from '../../shared/tables/index.ts';
import type { ListenState } from '../db/database.ts';
import type { Seen } from '../db/notice-restore.ts';
import type { TimelineSeen } from '../db/timeline-fence.ts';
import type { Log } from '../lib/log.ts';
import type { CollectionReads, CollectionWrites } from './collection-tables.ts';

/*
 * What the exchange needs of a database, in its own words. `createSqlStore` is the one that serves people; the tests'
 * memory store keeps the same promises (testing/memory-store), and one suite holds both to them
 * (sync-store.pg.test.ts).
 *
 * A version is a decimal text: it may exceed what a number holds.
 */

/** An outcome as it is kept: the uid is the row's own. */
export type Verdict = Omit<Outcome, 'uid'>;

/** The database's position in one snapshot. */
export interface StorePosition {
  /** The newest commit version: everything at or below it is in the snapshot. '0' where nothing was ever written. */
  head: string;
  timeline: string;
  /** Removals at or below it are purged. */
  tombstoneFloor: string;
  /**
   * The rows were last used in another database than this one: they were restored or moved, and no new timeline has
   * begun.
   */
  isMoved: boolean;
  /** Cookies are signed with it; a copy of the database has the same. */
  cookieKey: string;
}

/** A timeline that began with a restore, and up to which version it has the one before. */
export interface BegunTimeline {
  timeline: string;
  previous: string;
  /** Of the timeline before it this one has everything up to here; 0 where that is not known. */
  point: string;
  /** Its own versions begin above this one. */
  first: string;
  beganAt: Date;
}

/** What a device sent again after a restore, and what became of it: `restoring` while it waits. */
export interface SentAgain {
  uid: string;
  name: string;
  from: { timeline: string; version?: string | undefined };
  became: 'restoring' | Verdict['status'];
  device: string | undefined;
}

/** One row of a private table changed or was removed. */
export interface Change {
  table: PrivateTableName;
  id: string;
  version: string;
  isRemoved: boolean;
}

/** Whom the commits after some version concern. */
export interface Commits extends Pick<StorePosition, 'head' | 'timeline' | 'isMoved'> {
  people: readonly string[];
  /** Ids of the users' rows among what changed. */
  accounts: readonly string[];
  collections: readonly string[];
}

export interface KnownUid {
  uid: string;
  /** Of the name and args that it was decided for. */
  argsHash: string;
}

export interface KeptOutcome extends KnownUid {
  verdict: Verdict;
}

export interface DecidedMutation extends KnownUid {
  name: string;
  verdict: Verdict;
}

export interface FailedMutation extends KnownUid {
  name: string;
  args: unknown;
  verdict: Verdict;
  /** What an operator may read of the error. */
  error: string;
}

/**
 * Reads of what was committed: one snapshot where they are of a `snapshot`, else the newest at each call. Ids come out
 * in lower case.
 */
export interface ReadTx extends CollectionReads {
  /** Those of the people who have a profile. */
  findPeople(userIds: readonly string[]): Promise<User[]>;
  readHead(): Promise<string>;
  /** The position together with the person's own row; undefined where they have no profile. */
  readPosition(userId: string): Promise<{ person: User; position: StorePosition } | undefined>;
  /** The person's changes after a version, the oldest first, `limit` of them. */
  changesAfter(userId: string, version: string, limit: number): Promise<Change[]>;
  /** All of the person's changes of one commit. */
  changesOf(userId: string, version: string): Promise<Change[]>;
  /** The rows that this person began or ceased to see, up to and with `version`, without a change of the rows. */
  toldUntil(userId: string, version: string): Promise<Change[]>;
  /** Those of the rows that this person may see now, as they may see them; by id. */
  visibleRows<Name extends PrivateTableName>(
    table: Name,
    ids: readonly string[],
    userId: string,
  ): Promise<RowOf<Name>[]>;
  /** The outcomes of these mutations, as far as they are decided; the oldest first. */
  readOutcomes(userId: string, uids: readonly string[]): Promise<KeptOutcome[]>;
  commitsAfter(version: string): Promise<Commits>;
  /** Which of these rows have changed after that version, as far as that was committed. */
  changedAfter(table: PrivateTableName, ids: readonly string[], version: string): Promise<Set<string>>;
  /** Every timeline that began with a restore. */
  readTimelines(): Promise<BegunTimeline[]>;
}

export interface LockedPerson extends Pick<StorePosition, 'timeline' | 'head' | 'isMoved'> {
  person: User;
  /** When the timeline began with a restore; null for the first one. */
  restoredAt: Date | null;
}

/**
 * What one transaction may do. It sees its own writes over what was committed before each call (READ COMMITTED). Calls
 * may be made without waiting for those before: they go to the database together, and are carried out in the order in
 * which they were made; after one that failed the others fail as well (25P02).
 */
export interface SyncTx extends ReadTx, CollectionWrites {
  /**
   * The person's row, locked until the transaction ends, with a position that the database had reached by then;
   * undefined where they have no profile.
   */
  lockPerson(userId: string): Promise<LockedPerson | undefined>;
  /**
   * The rows that have one of these values in each of these columns, locked in order of their ids until the transaction
   * ends.
   */
  lockRows<Name extends PrivateTableName>(table: Name, where: RowFilter<Name>): Promise<RowOf<Name>[]>;
  /** Which of these ids are taken. */
  existingIds(table: PrivateTableName, ids: readonly string[]): Promise<Set<string>>;
  /** Every entry of the reference list, as `kind:id`. */
  readReferences(): Promise<ReadonlySet<string>>;
  /** Inserts rows whose ids are not taken. */
  insertRows<Name extends TableName>(table: Name, rows: readonly RowOf<Name>[]): Promise<void>;
  /** Writes the named columns of rows. @throws where one is not there. */
  updateRows<Name extends TableName>(
    table: Name,
    columns: readonly (keyof RowOf<Name> & string)[],
    rows: readonly RowOf<Name>[],
  ): Promise<void>;
  /** Jobs that this person posted in the last 24 hours, by the database's clock. */
  countLatelyPosted(userId: string): Promise<number>;
  /** When a person who may post so many jobs in 24 hours may post the next one. */
  nextPostAt(userId: string, jobsPerDay: number): Promise<Date>;
  /** What storage says of these files, each named by its bucket and path; undefined where it cannot be asked. */
  findFiles(refs: readonly string[]): Promise<KnownFiles | undefined>;
  /** The uids that were decided before, and for what. */
  findUids(userId: string, uids: readonly string[]): Promise<KnownUid[]>;
  /** Writes outcomes; how many, for a uid that has one keeps it. */
  writeOutcomes(userId: string, at: Date, decided: readonly DecidedMutation[]): Promise<number>;
  /** The effect of each of these rows that this person made at `at`; one that was recorded before is left out. */
  recordMade(name: FollowedBy, userId: string, at: Date, ids: readonly string[]): Promise<void>;
  /** Notes for the operator what was sent again after a restore; for a uid the last counts. */
  noteSentAgain(userId: string, at: Date, sent: readonly SentAgain[]): Promise<void>;
  /** Counts a failed attempt. */
  countAttempt(userId: string, uid: string, at: Date, error: string): Promise<{ attempts: number; firstAt: Date }>;
  /**
   * Keeps a mutation for an operator, with its outcome, and forgets its attempts; does nothing where it was decided
   * meanwhile.
   */
  writeDeadLetter(userId: string, at: Date, failed: FailedMutation): Promise<void>;
  /**
   * Purges removals and failed attempts from before an instant, and raises the floor over them; how many removals. One
   * that the collection's snapshot does not contain yet stays.
   */
  purgeRemovals(before: Date): Promise<number>;
  /** Begins a savepoint. After an error of the store nothing but `rollback` may be called on the transaction. */
  savepoint(): Promise<Savepoint>;
}

/** The values that fit, for columns of ids. */
export type RowFilter<Name extends TableName> = { readonly [Column in keyof RowOf<Name>]?: readonly string[] };

export interface Savepoint {
  /** Undoes what was done since, and keeps the savepoint. */
  rollback(): Promise<void>;
  release(): Promise<void>;
}

/** What may be done in one call, outside of any transaction. */
export type SingleCalls = ReadTx & Pick<SyncTx, 'countAttempt' | 'acquireLease' | 'extendLease' | 'releaseLease'>;

export interface SyncStore {
  /**
   * One transaction: all of it or nothing. A commit that changed synced rows draws one version, in the order of the
   * commits, and records each changed row for its audience. Where the connection is lost while committing, the error
   * does not say whether it committed.
   */
  write<T>(work: (tx: SyncTx) => Promise<T>): Promise<T>;
  /** Reads from one snapshot of what was committed before it began. */
  snapshot<T>(work: (tx: ReadTx) => Promise<T>): Promise<T>;
  /**
   * Each call by itself. Not while a transaction of the same caller is open: the embedded database has one connection.
   */
  readonly single: SingleCalls;
  /**
   * Calls `onCommit` after each commit of synced rows, and after a lost connection was remade; the returned function
   * ends it.
   */
  listen(onCommit: () => void): Promise<() => Promise<void>>;
  /** How far what `listen` promises is proved; undefined while nothing listens. */
  hearing(): ListenState | undefined;
  /**
   * Begins a new timeline where the database was restored or moved, or holds less than was `seen` (S5); whether it
   * began one.
   */
  noticeRestore(log: Pick<Log, 'warn'>, seen?: Seen): Promise<boolean>;
  /**
   * A device has shown a later timeline of this database, which is not used any more. `timeline`: the one that it
   * was compared with.
   *
   * @throws TimelineEnded; DatabaseRestored where that has changed meanwhile.
   */
  noticeLater(log: Pick<Log, 'error'>, later: Seen, timeline: string): Promise<never>;
  /** Another timeline was seen than before: a database that is still in the former one is not used any more. */
  noticeTimeline?(seen: TimelineSeen): void;
}
