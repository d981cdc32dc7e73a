import { must } from '../../../shared/lib/must.ts';
import {
  changesOf,
  ownTables,
  syncedTables,
  viewOfCommitted,
  type Committed,
  type Row,
  type View,
} from './memory-tables.ts';

export interface MemoryTx extends View {
  /** The process whose connection it is on. */
  readonly owner: object;
  put(table: string, key: string, row: Row): void;
  remove(table: string, key: string): void;
  /** Waits until no other open transaction holds this; throws 40P01 where they wait for each other. */
  hold(lock: string): Promise<void>;
  /** Begins a savepoint; the returned function undoes what was written since. */
  savepoint(): () => void;
}

/** When a transaction's version is drawn. Only `commit` is right; the others are planted bugs. */
export type VersionRule = 'commit' | 'first-write' | 'clock';

export interface EngineParts {
  clock: () => Date;
  /** Names a timeline. */
  newTimeline(): string;
  /** Runs `act` after what runs now: a transaction that waited for a lock goes on then. */
  later(act: () => void): void;
  isReadOnly?(): boolean;
  /** What it begins with, where it is a copy; the newest version that was drawn by then. */
  from?: { committed: Committed; sequence: number };
}

export interface MemoryEngine {
  readonly clock: () => Date;
  begin(owner: object, mode: 'write' | 'snapshot'): MemoryTx;
  /** Returns the version it committed under, where it changed synced rows. */
  commit(tx: MemoryTx): number | undefined;
  rollback(tx: MemoryTx): void;
  /** Every open transaction of this process is rolled back: its connections are gone. */
  forget(owner: object): void;
  committed(): Committed;
  /** The state when this version was committed; undefined for versions of another timeline. */
  at(version: number): Committed | undefined;
  head(): number;
  timeline(): string;
  /**
   * Restores an old state, under a new timeline that has the one before up to `known`. Every open transaction is rolled
   * back. Its versions begin so far above those that were drawn before.
   */
  restore(old: Committed, known?: string, above?: number): void;
  /** The state so many versions ago, in this timeline. */
  lagging(versions: number): Committed;
  /** The same database once more, which goes on by itself. */
  fork(): MemoryEngine;
  /** A device has shown a later timeline of it, up to this version. */
  supersede(version: number): void;
  /** Called with the version of each commit that drew one; the returned function ends it. */
  onCommit(hear: (version: number) => void): () => void;
  /** Called with what every commit wrote, in the order in which it was last written. */
  onWrites(hear: (writes: Written) => void): void;
}

export interface Written {
  wrote: readonly { table: string; key: string }[];
  before: Committed;
  after: Committed;
  version: number | undefined;
}

interface Open extends MemoryTx {
  writes: Map<string, Map<string, Row | null>>;
  locks: Set<string>;
  waitsFor: string | undefined;
  base: Committed | undefined;
  drawn: number | undefined;
  begunAt: Date;
  isOver: boolean;
}

/** An error as the driver throws it. */
export const sqlError = (code: string, text: string): Error => Object.assign(new Error(text), { code });
const copyWrites = (writes: Open['writes']): Open['writes'] =>
  new Map(Array.from(writes, ([table, rows]) => [table, new Map(rows)]));

/**
 * PostgreSQL as far as the server's sync depends on it: READ COMMITTED writers with row locks, deadlock detection and
 * savepoints, REPEATABLE READ snapshots, one version for each commit.
 */
export function createMemoryEngine(
  { clock, newTimeline, later, isReadOnly = () => false, from }: EngineParts,
  rule: VersionRule = 'commit',
): MemoryEngine {
  let committed: Committed =
    from?.committed ??
    new Map([
      ...[...syncedTables, ...ownTables].map((name) => [name as string, new Map<string, Row>()] as const),
      ['sync_meta', new Map([['only', { lineage: newTimeline(), tombstone_floor: 0 }]])],
    ]);
  let sequence = from?.sequence ?? 0;
  let history = new Map<number, Committed>();
  const holders = new Map<string, Open>();
  const waiters = new Map<string, (() => void)[]>();
  const open = new Set<Open>();
  const heard = new Set<(version: number) => void>();
  const heardWrites: ((writes: Written) => void)[] = [];

  function mustNotDeadlock(tx: Open, lock: string): void {
    let next = holders.get(lock);
    for (let steps = 0; next !== undefined && steps < 100; steps += 1) {
      if (next === tx) throw sqlError('40P01', 'deadlock detected');
      next = next.waitsFor === undefined ? undefined : holders.get(next.waitsFor);
    }
  }

  async function hold(tx: Open, lock: string): Promise<void> {
    for (;;) {
      const holder = holders.get(lock);
      if (holder === undefined || holder === tx) {
        holders.set(lock, tx);
        tx.locks.add(lock);
        return;
      }
      mustNotDeadlock(tx, lock);
      tx.waitsFor = lock;
      await new Promise<void>((resolve) => waiters.set(lock, [...(waiters.get(lock) ?? []), resolve]));
      tx.waitsFor = undefined;
      if (tx.isOver) throw sqlError('57P01', 'the connection is gone');
    }
  }

  function end(tx: Open): void {
    tx.isOver = true;
    open.delete(tx);
    for (const lock of tx.locks) {
      if (holders.get(lock) !== tx) continue;
      holders.delete(lock);
      for (const wake of waiters.get(lock) ?? []) later(wake);
      waiters.delete(lock);
    }
  }

  function begin(owner: object, mode: 'write' | 'snapshot'): MemoryTx {
    const base = mode === 'snapshot' ? committed : undefined;
    const seen = () => base ?? committed;
    const write = (table: string, key: string, row: Row | null) => {
      if (base !== undefined || isReadOnly()) throw sqlError('25006', 'cannot write in a read-only transaction');
      const rows = tx.writes.get(table) ?? new Map<string, Row | null>();
      rows.delete(key);
      tx.writes.set(table, rows.set(key, row));
      if (rule === 'first-write' && tx.drawn === undefined && (syncedTables as string[]).includes(table))
        tx.drawn = sequence += 1;
    };
    const tx: Open = {
      owner,
      base,
      writes: new Map(),
      locks: new Set(),
      waitsFor: undefined,
      drawn: undefined,
      begunAt: clock(),
      isOver: false,
      get: (table, key) => {
        const own = tx.writes.get(table)?.get(key);
        return own === null ? undefined : (own ?? must(seen().get(table), table).get(key));
      },
      all: (table) => {
        const rows = must(seen().get(table), table);
        const own = tx.writes.get(table);
        if (own === undefined) return [...rows.values()];
        const merged = new Map<string, Row>(rows);
        for (const [key, row] of own) {
          if (row === null) merged.delete(key);
          else merged.set(key, row);
        }
        return [...merged.values()];
      },
      put: write,
      remove: (table, key) => write(table, key, null),
      hold: (lock) => hold(tx, lock),
      savepoint: () => {
        const kept = copyWrites(tx.writes);
        return () => void (tx.writes = copyWrites(kept));
      },
    };
    open.add(tx);
    return tx;
  }

  function draw(tx: Open): number {
    if (tx.drawn !== undefined) return tx.drawn;
    if (rule === 'clock') return tx.begunAt.getTime();
    return (sequence += 1);
  }

  function commit(given: MemoryTx): number | undefined {
    const tx = given as Open;
    if (tx.isOver) throw sqlError('57P01', 'the connection is gone');
    const wrote = Array.from(tx.writes, ([table, rows]) => Array.from(rows.keys(), (key) => ({ table, key }))).flat();
    const old = committed;
    const before = viewOfCommitted(old);
    const isSynced = wrote.some(({ table }) => (syncedTables as string[]).includes(table));
    let version: number | undefined;
    if (isSynced) {
      const drawn = draw(tx);
      const { changes, accesses } = changesOf(before, tx, wrote, drawn, clock());
      for (const line of changes) tx.put('sync_change', `${line.entity}/${line.entity_id}`, line);
      for (const line of accesses) tx.put('sync_access', `${line.entity}/${line.entity_id}/${line.person}`, line);
      if (changes.length > 0) version = drawn;
    }
    if (tx.writes.size > 0) {
      const next = new Map(committed);
      for (const [table, rows] of tx.writes) {
        const changed = new Map(must(committed.get(table), table));
        for (const [key, row] of rows) {
          if (row === null) changed.delete(key);
          else changed.set(key, row);
        }
        next.set(table, changed);
      }
      committed = next;
    }
    end(tx);
    if (wrote.length > 0) for (const hear of heardWrites) hear({ wrote, before: old, after: committed, version });
    if (version !== undefined) {
      history.set(version, committed);
      for (const hear of heard) hear(version);
    }
    return version;
  }

  function headIn(state: Committed): number {
    const floor = Number(state.get('sync_meta')?.get('only')?.['tombstone_floor'] ?? 0);
    return [...must(state.get('sync_change'), 'changes').values()].reduce(
      (most, line) => Math.max(most, Number(line['version'])),
      floor,
    );
  }

  return {
    clock,
    begin,
    commit,
    head: () => headIn(committed),
    timeline: () => String(committed.get('sync_meta')?.get('only')?.['lineage']),
    rollback: (tx) => end(tx as Open),
    forget: (owner) => {
      for (const tx of Array.from(open)) if (tx.owner === owner) end(tx);
    },
    committed: () => committed,
    at: (version) => history.get(version),
    restore: (old, known = String(headIn(old)), above = 1) => {
      for (const tx of Array.from(open)) end(tx);
      const meta = must(old.get('sync_meta')?.get('only'), 'meta');
      // The version is above every one that was ever drawn, as the clock makes it in db/new-timeline.ts.
      sequence += above;
      const timeline = newTimeline();
      const begun = { timeline, previous: String(meta['lineage']), point: known, first: sequence, began_at: clock() };
      committed = new Map([
        ...old,
        [
          'sync_meta',
          new Map([['only', { ...meta, lineage: timeline, tombstone_floor: sequence, later_version: null }]]),
        ],
        ['sync_timeline', new Map([...must(old.get('sync_timeline'), 'timelines'), [timeline, begun]])],
      ]);
      history = new Map();
      history.set(sequence, committed);
    },
    lagging: (versions) => [...history.values()].at(-1 - versions) ?? [...history.values()][0] ?? committed,
    fork: () => createMemoryEngine({ clock, newTimeline, later, isReadOnly, from: { committed, sequence } }, rule),
    supersede: (version) => {
      const meta = must(committed.get('sync_meta')?.get('only'), 'meta');
      committed = new Map([...committed, ['sync_meta', new Map([['only', { ...meta, later_version: version }]])]]);
    },
    onCommit: (hear) => {
      heard.add(hear);
      return () => void heard.delete(hear);
    },
    onWrites: (hear) => void heardWrites.push(hear),
  };
}
