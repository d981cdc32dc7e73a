import { Dexie } from 'dexie';
import type { SimProcess, Loop } from '../time/loop.ts';
import {
  newFactory,
  transactionPrototype,
  type Inside,
  type RawConnection,
  type RawDatabase,
  type RawFactory,
  type RawTransaction,
} from './fake-indexeddb-internals.ts';

/** A transaction that has become durable, before any tab has been notified. */
export interface Commit {
  proc: SimProcess;
  database: string;
  stores: ReadonlySet<string>;
  /** It changed data. */
  hasWritten: boolean;
}

/** What the next write does. `after`: requests that still succeed. */
export interface DiskFault {
  /** `hang`: a request that is never answered; its transaction stays open until its tab is gone. */
  kind: 'error' | 'quota' | 'quota-at-commit' | 'hang';
  /** `writes`: of what is pending or shown. `anything`: every request, reads too. */
  at: 'writes' | 'anything';
  after: number;
}

export type DiskCopy = Map<
  string,
  Map<string, { records: { key: unknown; value: unknown }[]; counter: number | undefined }>
>;

/**
 * One device's IndexedDB. fake-indexeddb stores; this model adds what it lacks: what a killed tab leaves behind, what a
 * power cut loses, which tab is notified of a commit and when. It decides durability: a write counts from `onCommit` on
 * and not before.
 */
export interface Disk {
  /** `indexedDB`, as this tab sees it. */
  faceFor(proc: SimProcess): IDBFactory;
  /** The records of a store as they were last committed or are just being written. */
  read(database: string, store: string): readonly unknown[];
  databases(): readonly string[];
  stores(database: string): readonly string[];
  /** A write to one of these is under way. */
  isBeingWritten(database: string, stores: readonly string[]): boolean;
  /** This tab has a write under way. */
  isWriting(proc: SimProcess): boolean;
  /** The tab is gone: its open transactions leave nothing and notify no tab. False where it just opens a database. */
  kill(proc: SimProcess): boolean;
  /** The connection to the disk is lost under the running tab (iOS, after sleep). */
  lose(proc: SimProcess): void;
  arm(fault: DiskFault): void;
  disarm(): void;
  /** A request of this tab is never answered. */
  isHung(proc: SimProcess): boolean;
  /** The battery is empty: what was not flushed is gone. Kill the tabs first. */
  powerCut(): number;
  copy(): DiskCopy;
  /** Restores an old copy. Kill the tabs first. */
  restore(copy: DiskCopy): void;
  /** All of it, or one database alone. Kill the tabs first. */
  wipe(database?: string): void;
  onCommit(hear: (commit: Commit) => void): void;
  /** A program has deleted a database. */
  onDeleted(hear: (database: string) => void): void;
}

const overlap = (one: ReadonlySet<string>, other: readonly string[]) => other.some((name) => one.has(name));

export function createDisk(loop: Loop, onStruck: (kind: string) => void): Disk {
  const factory = newFactory();
  const opening = new Map<SimProcess, number>();
  const heard: ((commit: Commit) => void)[] = [];
  const heardDeleted: ((database: string) => void)[] = [];
  const forgetDatabase = factory._databases.delete.bind(factory._databases);
  factory._databases.delete = (name) => {
    const wasThere = forgetDatabase(name);
    if (wasThere) for (const hear of heardDeleted) hear(name);
    return wasThere;
  };
  let fault: DiskFault | undefined;
  const hung = new WeakSet<SimProcess>();
  /** How to undo what was committed since the disk was last flushed, oldest first. */
  let unflushed: (() => void)[] = [];

  function open(proc: SimProcess, name: string, version?: number): IDBOpenDBRequest {
    // A program that has ended gets no answers, and holds no locks.
    if (proc.state === 'dead') return new EventTarget() as IDBOpenDBRequest;
    const request = factory.open(name, version);
    opening.set(proc, (opening.get(proc) ?? 0) + 1);
    const claim = () => {
      const connection = request.result as unknown as RawConnection;
      Object.assign(connection, { _life: proc, _inside: inside });
    };
    const done = () => void opening.set(proc, (opening.get(proc) ?? 1) - 1);
    request.addEventListener('upgradeneeded', claim);
    request.addEventListener('success', () => {
      claim();
      done();
    });
    request.addEventListener('error', done);
    return request;
  }

  const isWriteOf = (tx: RawTransaction) => tx.mode === 'readwrite' && tx._scope.has('outbox');

  const inside: Inside = {
    loop,
    strike: (tx) => {
      if (fault === undefined || fault.kind === 'quota-at-commit' || (fault.at === 'writes' && !isWriteOf(tx)))
        return undefined;
      if (fault.after > 0) {
        fault.after -= 1;
        return undefined;
      }
      const { kind, at } = fault;
      fault = undefined;
      if (kind === 'hang') {
        if (tx.db._life !== undefined) hung.add(tx.db._life);
        onStruck('hung');
        return 'hangs';
      }
      onStruck(at === 'writes' ? kind : tx.mode === 'readonly' ? 'error while reading' : `${kind} anywhere`);
      return new DOMException('said by the simulator', kind === 'quota' ? 'QuotaExceededError' : 'UnknownError');
    },
    strikeAtCommit: (tx) => {
      if (fault?.kind !== 'quota-at-commit' || !isWriteOf(tx)) return false;
      fault = undefined;
      onStruck('quota-at-commit');
      return true;
    },
    committed: (tx) => {
      if (tx.mode === 'readwrite') {
        if (tx.durability === 'strict') unflushed = [];
        else unflushed.push(...tx._rollbackLog);
      }
      const { _life: proc, _rawDatabase: raw } = tx.db;
      if (proc !== undefined)
        for (const hear of heard)
          hear({ proc, database: raw.name, stores: tx._scope, hasWritten: tx._rollbackLog.length > 0 });
    },
  };

  const disk: Disk = {
    faceFor: (proc) => ({
      open: (name: string, version?: number) => open(proc, name, version),
      deleteDatabase: (name: string) => (factory as unknown as IDBFactory).deleteDatabase(name),
      databases: () => (factory as unknown as IDBFactory).databases(),
      cmp: (one: unknown, other: unknown) => (factory as unknown as IDBFactory).cmp(one, other),
    }),
    read: (database, store) => {
      const raw = factory._databases.get(database)?.rawObjectStores.get(store);
      return raw === undefined ? [] : Array.from(raw.records.values(), ({ value }) => value);
    },
    databases: () => [...factory._databases.keys()],
    stores: (database) => [...(factory._databases.get(database)?.rawObjectStores.keys() ?? [])],
    isBeingWritten: (database, stores) =>
      (factory._databases.get(database)?.transactions ?? []).some(
        (tx) => tx.mode !== 'readonly' && tx._started && tx._state !== 'finished' && overlap(tx._scope, stores),
      ),
    isWriting: (proc) =>
      Array.from(factory._databases.values()).some(({ transactions }) =>
        transactions.some(
          (tx) => tx.db._life === proc && tx.mode === 'readwrite' && tx._started && tx._state !== 'finished',
        ),
      ),
    kill: (proc) => {
      if ((opening.get(proc) ?? 0) > 0) return false;
      for (const raw of factory._databases.values()) bury(raw, proc);
      return true;
    },
    lose: (proc) => {
      for (const raw of factory._databases.values()) {
        for (const connection of raw.connections) if (connection._life === proc) connection._closePending = true;
        for (const tx of raw.transactions)
          if (tx.db._life === proc && tx._state !== 'finished') tx._abort('UnknownError');
      }
    },
    arm: (given) => void (fault = { ...given }),
    disarm: () => void (fault = undefined),
    isHung: (proc) => hung.has(proc),
    powerCut: () => {
      const lost = unflushed.length;
      for (const undo of unflushed.toReversed()) undo();
      unflushed = [];
      return lost;
    },
    copy: () => copyOf(factory),
    restore: (copy) => {
      unflushed = [];
      restoreInto(factory, copy);
    },
    wipe: (database) => {
      if (database !== undefined) return void forgetDatabase(database);
      unflushed = [];
      factory._databases.clear();
    },
    onCommit: (hear) => void heard.push(hear),
    onDeleted: (hear) => void heardDeleted.push(hear),
  };
  return disk;
}

function bury(raw: RawDatabase, proc: SimProcess): void {
  for (const tx of raw.transactions) {
    if (tx.db._life !== proc || tx._state === 'finished') continue;
    for (const undo of tx._rollbackLog.toReversed()) undo();
    Object.assign(tx, { _rollbackLog: [], _requests: [], _state: 'finished' });
  }
  raw.transactions = raw.transactions.filter((tx) => tx.db._life !== proc);
  for (const connection of raw.connections)
    if (connection._life === proc) Object.assign(connection, { _closePending: true, _closed: true });
  raw.connections = raw.connections.filter((connection) => connection._life !== proc);
  raw.processTransactions();
}

function copyOf(factory: RawFactory): DiskCopy {
  const stores = (raw: RawDatabase) =>
    new Map(
      Array.from(raw.rawObjectStores, ([name, store]) => [
        name,
        { records: [...store.records.values()], counter: store.keyGenerator?.num },
      ]),
    );
  return new Map(Array.from(factory._databases, ([name, raw]) => [name, stores(raw)]));
}

function restoreInto(factory: RawFactory, copy: DiskCopy): void {
  for (const [name, raw] of factory._databases) {
    for (const [storeName, store] of raw.rawObjectStores) {
      const old = copy.get(name)?.get(storeName);
      store.clear();
      for (const { key, value } of old?.records ?? []) store.storeRecord({ key, value }, false);
      if (store.keyGenerator !== null) store.keyGenerator.num = old?.counter ?? 0;
    }
  }
}

/**
 * Ends every live query. Dexie keeps those of all databases of a process in one list, by a database's name, and those
 * of a killed tab with them: they would read on in the next seed, which would then run differently than alone.
 */
export function endLiveQueries(): void {
  const changes = (
    Dexie.on as unknown as { storagemutated: { subscribers: (() => void)[]; unsubscribe(hear: () => void): void } }
  ).storagemutated;
  for (const hear of changes.subscribers) changes.unsubscribe(hear);
}

/**
 * Puts this model between fake-indexeddb's transactions and the tabs: faults hit requests, a commit is durable one task
 * before the tab is notified, a frozen tab is notified when it thaws, a dead one never. Done once in a process.
 */
export function overruleTransactions(): void {
  // Dexie's live queries ask nothing where the platform has no IndexedDB, though each of ours is given one.
  Dexie.dependencies.indexedDB = newFactory() as unknown as IDBFactory;
  const { _start: start, _execRequestAsync: ask, dispatchEvent } = transactionPrototype;
  Object.assign(transactionPrototype, {
    _start(this: RawTransaction) {
      const { _inside: inside, _life: proc } = this.db;
      if (inside === undefined || proc === undefined) return start.call(this);
      if (proc.state === 'dead' || this._isHung === true) return;
      const isOver =
        this._started &&
        this._state !== 'finished' &&
        this._requests.every(({ request }) => request.readyState === 'done');
      if (isOver && inside.strikeAtCommit(this)) return this._abort('QuotaExceededError');
      start.call(this);
    },
    _execRequestAsync(this: RawTransaction, request: { operation: () => unknown }) {
      const { _inside: inside, _life: proc } = this.db;
      if (inside !== undefined && proc !== undefined) inside.loop.stepOn(proc);
      const error = this.mode === 'versionchange' ? undefined : inside?.strike(this);
      if (error === 'hangs') this._isHung = true;
      if (error === undefined || error === 'hangs') return ask.call(this, request);
      return ask.call(this, {
        ...request,
        operation: () => {
          throw error;
        },
      });
    },
    dispatchEvent(this: RawTransaction, event: { type: string }) {
      const { _inside: inside, _life: proc, _rawDatabase: raw } = this.db;
      const isEnd = event.type === 'complete' || event.type === 'abort';
      if (inside === undefined || proc === undefined || this.mode === 'versionchange' || !isEnd)
        return dispatchEvent.call(this, event);
      if (event.type === 'complete') inside.committed(this);
      raw.processTransactions();
      inside.loop.after(0, () => dispatchEvent.call(this, event), proc);
      return true;
    },
  });
}
