import type { Database } from '../../sync-server/db/database.ts';
import type { Committed } from '../server/memory-tables.ts';
import type { Written } from '../server/memory-store.ts';
import type { Life } from '../time/loop.ts';

/** A fault of the database: the `nth` statement from now on, of any process, meets it; or a COMMIT does, before or after it counted. */
export interface DatabaseFault {
  /** A SQLSTATE or system code; `kill`: the server's process ends there. */
  code: string;
  at: 'statement' | 'commit' | 'committed';
  after: number;
}

/** The database under the servers: the fast double, or PGlite with the real SQL. */
export interface Backend {
  databaseFor(life: Life): Database;
  /** The server's process is gone, and its connections with it. */
  forget(life: Life): void;
  committed(): Committed;
  at(version: number): Committed | undefined;
  head(): number;
  timeline(): string;
  arm(fault: DatabaseFault): void;
  /** For this long, a statement now and then takes up to so many milliseconds. */
  dawdle(forMs: number, maxMs: number): void;
  /** The listening connection of this process delivers nothing for this long, without an error. */
  deafen(life: Life, forMs: number): void;
  /** The connections of this process answer nothing for this long. */
  silence(life: Life, forMs: number): void;
  /** No write is accepted for this long (a standby, an operator). */
  makeReadOnly(forMs: number): void;
  disarm(): void;
  /** An operator deletes a job by hand, with all rows that reference it. */
  removeJob(jobId: string): Promise<void>;
  backup(): Promise<void>;
  /** Restores the last backup, under a new timeline; undefined where there is none. */
  restore(): Promise<Committed | undefined>;
  /** Ends the process that met a fault of the kind `kill`; false where it is no server that runs. */
  onKill(end: (life: Life) => boolean): void;
  onWrites(hear: (written: Written) => void): void;
  /** What went wrong with the backend itself, if anything: the seed proves nothing then. */
  fault(): Error | undefined;
  close(): Promise<void>;
}
