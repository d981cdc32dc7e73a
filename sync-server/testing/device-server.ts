import { gunzipSync } from 'node:zlib';
import type { KnownFiles } from '../../shared/mutations/own-file.ts';
import type { ExchangeAnswer, ExchangeRequest, Outcome, SentMutation } from '../../shared/protocol/exchange.ts';
import { rangeKey } from '../../shared/protocol/segment.ts';
import { collectionColumns, collections as definitions, type CollectionName } from '../../shared/tables/collections.ts';
import { privateTableNames, type PrivateTableName } from '../../shared/tables/index.ts';
import type { MemoryRows } from '../../shared/testing/memory-tx.ts';
import { openCollections } from '../collections/collections.ts';
import type { SyncStore } from '../store/sync-store.ts';
import { writeDeadLetter } from '../sync/attempts.ts';
import { packCookie, unpackCookie } from '../sync/cookie.ts';
import { createExchange } from '../sync/exchange.ts';
import { createMemoryEngine, type MemoryTx } from './memory-store/memory-engine.ts';
import { createMemoryStore } from './memory-store/memory-store.ts';
import { isInCollection, privateRowsIn, viewOfCommitted, type Row } from './memory-store/memory-tables.ts';

type UntypedRow = { id: string } & Record<string, unknown>;

export interface Decision {
  userId: string;
  uid: string;
  name: string;
  status: Outcome['status'];
}

/** The server's own exchange and collections over the store in memory, without HTTP, for the tests of devices. */
export interface DeviceServer {
  /** The rows as committed; `write` alone changes them. */
  readonly rows: MemoryRows;
  /** What was decided, in order, each once. */
  readonly decisions: readonly Decision[];
  readonly collections: {
    /** The text of a segment; undefined for a hash that no snapshot had. */
    segment(hash: string): string | undefined;
    /** The rows as they are, for a test to compare with. */
    rowsOf(name: CollectionName): UntypedRow[];
    /** The reference list, which is in no private table. Where none was set, a mutation may name what it likes. */
    setReference(rows: readonly UntypedRow[]): void;
  };
  exchange(userId: string, request: ExchangeRequest): Promise<ExchangeAnswer>;
  /** A transaction that no device here sent: billing, an operator, another person's phone. */
  write(change: (rows: MemoryRows) => void): void;
  /** The private rows that this person must have, and no others (I4, I8). */
  privateRowsOf(userId: string): Record<PrivateTableName, UntypedRow[]>;
  /** What this person may see changed in a way that no row shows: their next answer is a reset (S8). */
  bumpView(userId: string): void;
  /** It failed for an unknown reason, often enough: it waits for an operator. */
  writeDeadLetter(userId: string, mutation: Pick<SentMutation, 'uid' | 'name' | 'args'>): Promise<void>;
  /** The database was restored: older cookies are of another timeline (S5). */
  changeTimeline(): void;
  /** A backup of now; the returned function restores it. */
  backUp(): () => void;
  /** Purges removals, and accepts no older cookie (S5). */
  purgeTombstones(): void;
  /** Rows a page; whole transactions, so it may be more. */
  setPageSize(rows: number): void;
  /** The mutations named here meet a transient error: the batch stops before them. */
  setFault(isFaulty: (mutation: SentMutation) => boolean): void;
  /** What storage says of the files that mutations name; undefined: it cannot be asked. */
  setFiles(files: KnownFiles | undefined): void;
  /** Called at each commit, as a poke would be sent. */
  onCommit(hear: () => void): () => void;
  now(): string;
}

/** A list that names everything. */
const everything = { has: () => true } as unknown as ReadonlySet<string>;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const copyOf = (row: object) => JSON.parse(JSON.stringify(row)) as Row;

/** `heldWholeUpTo`: a feed with more rows is held in part. */
export function createDeviceServer(clock: { now(): number }, heldWholeUpTo?: number): DeviceServer {
  const now = () => new Date(clock.now());
  let timelines = 0;
  const engine = createMemoryEngine({
    clock: now,
    newTimeline: () => `timeline-${(timelines += 1)}`,
    later: (act) => queueMicrotask(act),
  });
  let files: KnownFiles | undefined;
  let pageSize: number | undefined;
  let isFaulty: (mutation: SentMutation) => boolean = () => false;
  const memory = createMemoryStore({ engine, findFiles: async () => files });
  const hasList = () => engine.committed().get('reference')!.size > 0;
  const store: SyncStore = {
    ...memory,
    write: (work) => memory.write((tx) => work(hasList() ? tx : { ...tx, readReferences: async () => everything })),
  };
  const collections = openCollections({ store, clock: now, log: silent, heldWholeUpTo });
  const decide = createExchange({
    store,
    clock: now,
    log: silent,
    collections,
    get pageSize() {
      return pageSize;
    },
  });

  const decisions: Decision[] = [];
  engine.onWrites(({ wrote, after }) => {
    for (const { table, key } of wrote) {
      if (table !== 'sync_mutation') continue;
      const {
        user_id: userId,
        uid,
        name,
        status,
      } = after.get(table)!.get(key)! as Row & Decision & { user_id: string };
      decisions.push({ userId, uid, name, status });
    }
  });

  function transact(work: (tx: MemoryTx) => void): void {
    const tx = engine.begin({}, 'write');
    work(tx);
    engine.commit(tx);
  }

  const scopes = new Map<string, number>();
  const scopeOf = (userId: string) => scopes.get(userId) ?? 0;
  /** How often a person's access scope had changed when a cookie was handed out. */
  const issued = new Map<string, number>();
  function asOfItsScope(userId: string, text: string | null): string | null {
    const cookie = text === null ? undefined : unpackCookie(text);
    if (text === null || cookie === undefined || (issued.get(text) ?? 0) === scopeOf(userId)) return text;
    return packCookie({ ...cookie, w: `${cookie.w}:${issued.get(text) ?? 0}` });
  }

  async function exchange(userId: string, request: ExchangeRequest): Promise<ExchangeAnswer> {
    await collections.buildDueSnapshots();
    const at = request.mutations.findIndex(isFaulty);
    const faulty = request.mutations[at];
    const answer = await decide(
      { userId },
      {
        ...request,
        userId: request.userId ?? userId,
        cookie: asOfItsScope(userId, request.cookie),
        mutations: faulty === undefined ? request.mutations : request.mutations.slice(0, at),
      },
    );
    if (answer.kind === 'reset') return answer;
    issued.set(answer.cookie, scopeOf(userId));
    return structuredClone({
      ...answer,
      ...(faulty === undefined ? {} : { stopped: { uid: faulty.uid, retryAfterMs: 1_000 } }),
      ...(faulty === undefined || !answer.more ? {} : { undecided: request.mutations.slice(at).map(({ uid }) => uid) }),
    });
  }

  const committedRows = () =>
    Object.fromEntries(
      privateTableNames.map((table) => [table, engine.committed().get(table)]),
    ) as unknown as MemoryRows;

  return {
    get rows() {
      return committedRows();
    },
    decisions,
    exchange,
    collections: {
      segment: (hash) => {
        const segment = engine.committed().get('shelf_segment')!.get(hash);
        return segment === undefined ? undefined : gunzipSync(segment['gzip'] as Uint8Array).toString('utf8');
      },
      rowsOf: (name) => {
        const { table } = definitions[name];
        const key = (row: Row) => rangeKey(row as { id: string; createdAt: string });
        return [...engine.committed().get(table)!.values()]
          .filter((row) => isInCollection(table, row))
          .toSorted((one, other) => (key(one) < key(other) ? 1 : -1))
          .map(
            (row) => Object.fromEntries(collectionColumns(name).map((column) => [column, row[column]])) as UntypedRow,
          );
      },
      setReference: (list) =>
        transact((tx) => {
          for (const { id } of tx.all('reference')) tx.remove('reference', String(id));
          for (const row of list) tx.put('reference', row.id, copyOf(row));
        }),
    },
    write: (change) => {
      const before = committedRows() as unknown as Record<PrivateTableName, ReadonlyMap<string, Row>>;
      const rows = Object.fromEntries(
        privateTableNames.map((table) => [table, new Map(before[table])]),
      ) as unknown as Record<PrivateTableName, Map<string, Row>>;
      change(rows as unknown as MemoryRows);
      transact((tx) => {
        for (const table of privateTableNames) {
          for (const [id, row] of rows[table]) if (before[table].get(id) !== row) tx.put(table, id, copyOf(row));
          for (const id of before[table].keys()) if (!rows[table].has(id)) tx.remove(table, id);
        }
      });
    },
    privateRowsOf: (userId) =>
      privateRowsIn(viewOfCommitted(engine.committed()), userId) as Record<PrivateTableName, UntypedRow[]>,
    bumpView: (userId) => void scopes.set(userId, scopeOf(userId) + 1),
    writeDeadLetter: (userId, mutation) =>
      writeDeadLetter({ store, clock: now }, userId, { ...mutation, at: now().toISOString() }, 'unknown'),
    changeTimeline: () => engine.restore(engine.committed()),
    backUp: () => {
      const kept = engine.committed();
      return () => engine.restore(kept);
    },
    purgeTombstones: () =>
      transact((tx) => {
        for (const { entity, entity_id: id, deleted } of tx.all('sync_change'))
          if (deleted === true) tx.remove('sync_change', `${String(entity)}/${String(id)}`);
        tx.put('sync_meta', 'only', { ...tx.get('sync_meta', 'only'), tombstone_floor: engine.head() });
      }),
    setPageSize: (rows) => void (pageSize = rows),
    setFault: (error) => void (isFaulty = error),
    setFiles: (known) => void (files = known),
    onCommit: (hear) => engine.onCommit(() => hear()),
    now: () => now().toISOString(),
  };
}
