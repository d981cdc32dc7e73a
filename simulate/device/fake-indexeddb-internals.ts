import { IDBFactory, IDBKeyRange, IDBTransaction } from 'fake-indexeddb';
import type { SimProcess, Loop } from '../time/loop.ts';

/*
 * The internals of fake-indexeddb that the simulator uses: its own types declare only the browser's interface. Declared
 * here once, so that an update that moves them fails in one place.
 */

export interface RawTransaction {
  _state: 'active' | 'inactive' | 'committing' | 'finished';
  _started: boolean;
  _requests: { request: { readyState: string } }[];
  _rollbackLog: (() => void)[];
  _scope: Set<string>;
  mode: IDBTransactionMode;
  durability: IDBTransactionDurability;
  db: RawConnection;
  /** Ours: it gets no more answers. */
  _isHung?: boolean;
  _abort(name: string): void;
  _start(): void;
  _execRequestAsync(request: { operation: () => unknown }): unknown;
  dispatchEvent(event: { type: string }): boolean;
}

export interface RawConnection {
  _rawDatabase: RawDatabase;
  _closePending: boolean;
  _closed: boolean;
  /** Ours: the tab that opened it, and the disk it is on. */
  _life?: SimProcess;
  _inside?: Inside;
}

/** What the disk decides about its transactions. */
export interface Inside {
  readonly loop: Loop;
  /** What this request fails with, if it does. */
  strike(tx: RawTransaction): DOMException | 'hangs' | undefined;
  strikeAtCommit(tx: RawTransaction): boolean;
  committed(tx: RawTransaction): void;
}

export interface RawStore {
  records: { values(): Iterable<{ key: unknown; value: unknown }> };
  keyGenerator: { num: number } | null;
  storeRecord(record: { key: unknown; value: unknown }, noOverwrite: boolean): void;
  clear(): void;
}

export interface RawDatabase {
  name: string;
  transactions: RawTransaction[];
  connections: RawConnection[];
  rawObjectStores: Map<string, RawStore>;
  processTransactions(): void;
}

export interface RawFactory {
  _databases: Map<string, RawDatabase>;
  open(name: string, version?: number): IDBOpenDBRequest;
}

export { IDBKeyRange };
export const newFactory = (): RawFactory => new IDBFactory() as unknown as RawFactory;
export const transactionPrototype = IDBTransaction.prototype as unknown as RawTransaction;
