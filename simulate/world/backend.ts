import type { SyncStore } from '../../sync-server/store/sync-store.ts';
import type { Committed } from '../../sync-server/testing/memory-store/memory-tables.ts';
import type { Written } from '../../sync-server/testing/memory-store/memory-engine.ts';
import type { SimProcess } from '../time/loop.ts';

/**
 * A fault of the database: the `nth` call of its store from now on, of any process, meets it; or a COMMIT does, before
 * or after it counted.
 */
export interface DatabaseFault {
  /** A SQLSTATE or system code; `kill`: the server's process ends there. */
  code: string;
  at: 'call' | 'commit' | 'committed';
  after: number;
}

/** The database under the servers. */
export interface Backend {
  storeFor(proc: SimProcess): SyncStore;
  /** The server's process is gone, and its connections with it. */
  forget(proc: SimProcess): void;
  committed(): Committed;
  at(version: number): Committed | undefined;
  head(): number;
  timeline(): string;
  /** The version at which this row last changed. */
  versionOf(table: string, id: string): string;
  arm(fault: DatabaseFault): void;
  /** For this long, a call now and then takes up to so many milliseconds. */
  dawdle(forMs: number, maxMs: number): void;
  /** The listening connection of this process delivers nothing for this long, without an error. */
  deafen(proc: SimProcess, forMs: number): void;
  /** The connections of this process answer nothing for this long. */
  silence(proc: SimProcess, forMs: number): void;
  /** No write is accepted for this long (a standby, an operator). */
  makeReadOnly(forMs: number): void;
  disarm(): void;
  /** An operator deletes a job by hand, with all rows that reference it. */
  removeJob(jobId: string): Promise<void>;
  backup(): Promise<void>;
  /** Restores the last backup, under a new timeline; undefined where there is none. */
  restore(): Promise<Committed | undefined>;
  /**
   * The primary dies under its servers, and a standby that is so many versions behind it takes its place, under a new
   * timeline.
   */
  promote(behind: number): void;
  /** Has a standby been promoted? Its former primary runs again by itself, for those whose addresses lead to it. */
  hasFormer(): boolean;
  isMisled(proc: SimProcess): boolean;
  /** The addresses of this process lead to the former primary for so long. */
  mislead(proc: SimProcess, forMs: number): void;
  /** Those of the next one that is started do. */
  misleadNext(forMs: number): void;
  /** What the former primary commits. */
  onFormerWrites(hear: (written: Written) => void): void;
  /** Ends the process that met a fault of the kind `kill`; false where it is no server that runs. */
  onKill(end: (proc: SimProcess) => boolean): void;
  onWrites(hear: (written: Written) => void): void;
  close(): Promise<void>;
}
