import { privateTableNames, privateTables, type PrivateTableName, type RowOf } from '../../shared/tables/index.ts';
import { createListeners } from '../lib/listeners.ts';
import type { Commit, Write } from './note-commits.ts';
import type { MetaEntry, OutboxEntry, RejectedEntry, ServerRow } from './queue-records.ts';
import { createRowTable, type RowTable } from './row-table.ts';

/** The stores that are kept in memory: few rows, read by most screens. Every private table is among them by itself. */
export const storesInMemory = [...privateTableNames, 'shadow', 'outbox', 'refused', 'meta'] as const;
export type StoreInMemory = (typeof storesInMemory)[number];

/** What can be watched: a store, or one record of `meta`, where something is written every few seconds. */
export type Watchable = Exclude<StoreInMemory, 'meta'> | `meta/${MetaEntry['key']}`;

/** Rows by id; outbox and rejected by uid, `shadow` by `table,id`. Their readers must not change them. */
export type Rows = { readonly [Name in PrivateTableName]: ReadonlyMap<string, RowOf<Name>> } & {
  readonly shadow: ReadonlyMap<string, ServerRow>;
  readonly outbox: ReadonlyMap<string, OutboxEntry>;
  readonly refused: ReadonlyMap<string, RejectedEntry>;
  readonly meta: ReadonlyMap<MetaEntry['key'], MetaEntry>;
};

/** What is shown before it is written: one record, gone where `row` is undefined. */
export interface Early {
  readonly store: StoreInMemory;
  readonly key: string;
  readonly row: object | undefined;
}

export type Written = Early & { readonly row: object };

export interface ShownEarly {
  /** It ends with this transaction, complete or not, in the same step in which what that wrote is shown. */
  endWith(transaction: object): void;
  /** Taken back, where it has not ended. */
  end(): void;
}

/** Commits of the other tabs. */
export interface CommitChannel {
  post(commit: Commit): void;
  listen(hear: (commit: Commit) => void): void;
}

export type RowsState = { kind: 'reading' } | { kind: 'ready' } | { kind: 'failed'; error: unknown };

/**
 * One person's rows in this tab's memory: what the disk holds as of commit `at`, and over it what is shown early, which
 * is on its way to the disk. Each commit of this tab is taken from its transaction, each of another from its message;
 * the disk is read when the first screen asks, and again where a commit was missed.
 */
export interface PrivateRows {
  state(): RowsState;
  /** The rows as screens show them. */
  readonly shown: Rows;
  /** As they are on the disk. */
  readonly stored: Rows;
  /** The row of a private table by one of its unique column sets. */
  find(
    of: 'shown' | 'stored',
    table: PrivateTableName,
    columns: readonly string[],
    values: readonly unknown[],
  ): object | undefined;
  /**
   * Number of the last commit that is in memory; undefined while the disk is read, or could not be, and memory may lack
   * something.
   */
  at(): number | undefined;
  /** The same, where nothing is shown early: what is shown is what is stored. */
  settledAt(): number | undefined;
  /** Grows with each change of what is shown of it. */
  version(of: Watchable): number;
  subscribe(listener: () => void): () => void;
  /** Shows at once what is about to be written. `isReceived`: brought by an answer, and gives way to a newer one. */
  show(early: readonly Early[], isReceived?: boolean): ShownEarly;
  /** Reads the disk where it is ahead of the memory: the message of another tab may have been lost. */
  refresh(): void;
  /** Resolves when what was on the disk at the call is in memory, or could not be read. */
  read(): Promise<void>;
  /** A transaction of this tab has ended: memory has what it wrote. Screens are asked by `tell`. */
  ended(transaction: object, commit: Commit | undefined): void;
  tell(): void;
}

interface Source {
  /** All records of the stores, and the number of the last commit, in one transaction. */
  readAll(): Promise<{ at: number; records: readonly (readonly object[])[] }>;
  lastCommit(): Promise<number>;
  channel?: CommitChannel | undefined;
}

interface Layer {
  readonly early: readonly Early[];
  readonly isReceived: boolean;
  readonly rows: ReadonlyMap<string, object | undefined>;
}

type Tables = Record<StoreInMemory, RowTable>;
const createTables = () =>
  Object.fromEntries(
    storesInMemory.map((store) => [
      store,
      createRowTable(store in privateTables ? privateTables[store as PrivateTableName].unique : []),
    ]),
  ) as Tables;
const rowsOf = (tables: Tables) =>
  Object.fromEntries(storesInMemory.map((store) => [store, tables[store].rows])) as unknown as Rows;

function keyOf(store: StoreInMemory, row: object): string {
  const { id, uid, key, table } = row as Record<string, string>;
  return store === 'shadow' ? `${table},${id}` : ((store === 'meta' ? key : (uid ?? id)) as string);
}

const isSame = (one: object | undefined, other: object | undefined) =>
  one === other || (one !== undefined && other !== undefined && JSON.stringify(one) === JSON.stringify(other));

export function createPrivateRows({ readAll, lastCommit: lastOnDisk, channel }: Source): PrivateRows {
  const disk = createTables();
  const screen = createTables();
  const versions = new Map<string, number>();
  const uids = new Map<number, string>();
  const listeners = createListeners();
  let layers: Layer[] = [];
  const endings = new WeakMap<object, Layer>();
  let state: RowsState = { kind: 'reading' };
  let at: number | undefined;
  let reading: Promise<void> | undefined;
  /** Commits that came while the disk was being read. */
  let meanwhile: Commit[] = [];
  /** Commits that the other tabs have not been told of. */
  const untold: Commit[] = [];

  /** What is shown is what the last layer says, else what the disk holds. */
  function project(store: StoreInMemory, key: string): void {
    const name = `${store} ${key}`;
    const layer = layers.findLast(({ rows }) => rows.has(name));
    const [before, now] = [
      screen[store].rows.get(key),
      layer === undefined ? disk[store].rows.get(key) : layer.rows.get(name),
    ];
    // What is written as it was shown already asks no screen again: a tap would cost its list twice, and the second
    // time before it is "saved".
    if (isSame(before, now)) return;
    screen[store].set(key, now);
    const watched = store === 'meta' ? `meta/${key}` : store;
    versions.set(watched, (versions.get(watched) ?? 0) + 1);
  }

  function drop(layer: Layer): void {
    layers = layers.filter((one) => one !== layer);
    for (const { store, key } of layer.early) project(store, key);
  }

  /**
   * An answer that is shown early gives way as soon as one is on the disk: its own, or a newer one that another tab
   * took in.
   */
  function dropReceived(): void {
    for (const layer of layers) if (layer.isReceived) drop(layer);
  }

  function setStored(store: StoreInMemory, key: string, row: object | undefined): void {
    if (store === 'outbox') {
      const entry = (row ?? disk.outbox.rows.get(key)) as OutboxEntry | undefined;
      if (row === undefined && entry !== undefined) uids.delete(entry.seq);
      else if (entry !== undefined) uids.set(entry.seq, key);
    }
    disk[store].set(key, row);
    project(store, key);
  }

  function take(write: Write): void {
    const store = write.store as StoreInMemory;
    if ('range' in write) {
      for (const key of keysIn(store, write.range)) setStored(store, key, undefined);
    } else if (write.row !== undefined) setStored(store, keyOf(store, write.row), write.row);
    else {
      const key = store === 'outbox' ? uids.get(write.key as number) : String(write.key);
      if (key !== undefined) setStored(store, key, undefined);
    }
  }

  function keysIn(store: StoreInMemory, range: Extract<Write, { range: unknown }>['range']): string[] {
    if (range === 'all') return [...disk[store].rows.keys()];
    const { lower, upper, lowerOpen, upperOpen } = range;
    return [...disk[store].rows].flatMap(([key, row]) => {
      const own = store === 'outbox' ? (row as OutboxEntry).seq : key;
      const isBelow = lower !== undefined && (own < lower || (lowerOpen === true && own === lower));
      const isAbove = upper !== undefined && (own > upper || (upperOpen === true && own === upper));
      return isBelow || isAbove ? [] : [key];
    });
  }

  /** False where a commit before it is missing. */
  function applyCommit(commit: Commit): boolean {
    if (commit.at !== (at ?? 0) + 1) return false;
    at = commit.at;
    for (const write of commit.writes) take(write);
    if (commit.writes.some((write) => 'key' in write && write.key === 'cookie')) dropReceived();
    return true;
  }

  function hear(commit: Commit): void {
    if (reading !== undefined) return void meanwhile.push(commit);
    if (at === undefined) return void (!listeners.isEmpty() && read());
    if (!applyCommit(commit)) void read();
  }

  function replaceRows(found: Awaited<ReturnType<Source['readAll']>>): void {
    const keys = storesInMemory.map((store) => new Set(disk[store].rows.keys()));
    for (const [index, store] of storesInMemory.entries()) {
      for (const row of found.records[index] ?? []) {
        const key = keyOf(store, row);
        keys[index]?.delete(key);
        setStored(store, key, row);
      }
      for (const key of keys[index] ?? []) setStored(store, key, undefined);
    }
    at = found.at;
    dropReceived();
    state = { kind: 'ready' };
  }

  function read(): Promise<void> {
    reading ??= readAll()
      .then(replaceRows, (error: unknown) => {
        at = undefined;
        // What was read before is still what is known, as for a live query whose connection was lost.
        if (state.kind !== 'ready') state = { kind: 'failed', error };
      })
      .then(() => {
        reading = undefined;
        const [came, known] = [meanwhile, at];
        meanwhile = [];
        const isWhole = known === undefined || came.every((commit) => commit.at <= known || applyCommit(commit));
        listeners.tell();
        return isWhole ? undefined : read();
      });
    return reading;
  }

  channel?.listen((commit) => {
    hear(commit);
    listeners.tell();
  });
  const shown = rowsOf(screen);
  const stored = rowsOf(disk);
  return {
    state: () => state,
    shown,
    stored,
    find: (of, table, columns, values) => (of === 'shown' ? screen : disk)[table].find(columns, values),
    at: () => (reading === undefined ? at : undefined),
    settledAt: () => (reading === undefined && layers.length === 0 ? at : undefined),
    version: (of) => versions.get(of) ?? 0,
    subscribe: (listener) => {
      const end = listeners.add(listener);
      if (at === undefined) void read();
      return end;
    },
    show: (early, isReceived = false) => {
      const layer = { early, isReceived, rows: new Map(early.map(({ store, key, row }) => [`${store} ${key}`, row])) };
      layers.push(layer);
      for (const { store, key } of early) project(store, key);
      listeners.tell();
      return {
        endWith: (transaction) => void endings.set(transaction, layer),
        end: () => {
          if (!layers.includes(layer)) return;
          drop(layer);
          listeners.tell();
        },
      };
    },
    refresh: () => {
      if (at === undefined) return void (!listeners.isEmpty() && read());
      lastOnDisk().then(
        (last) => void (last === at || read()),
        () => undefined,
      );
    },
    read,
    ended: (transaction, commit) => {
      if (commit !== undefined) {
        untold.push(commit);
        hear(commit);
      }
      const early = endings.get(transaction);
      if (early === undefined) return;
      if (reading === undefined) return drop(early);
      // A commit was missed: what this one wrote is in memory once the disk has been read.
      void reading.then(() => {
        drop(early);
        listeners.tell();
      });
    },
    tell: () => {
      // What it wrote is copied for the other tabs once those who waited for it have heard.
      for (const commit of untold.splice(0)) channel?.post(commit);
      listeners.tell();
    },
  };
}
