import type { Database } from '../db/database.ts';
import type { Seen } from '../db/notice-restore.ts';
import type { Log } from '../lib/log.ts';
import type { FindFiles } from '../ports/known-files.ts';
import type { SyncStore } from '../store/sync-store.ts';

/** The engine's log for operators. Never args, never a row. */
export type SyncLog = Pick<Log, 'info' | 'warn' | 'error'>;

/** The dependencies of an exchange. */
export interface EngineParts {
  readonly store: SyncStore;
  readonly clock: () => Date;
  /** Jobs a person may post in 24 hours; undefined: any number. */
  readonly jobsPerDay?: number | undefined;
  readonly log: SyncLog;
  /** Milliseconds after a restore in which mutations wait for what it has lost; S13's unless a test needs fewer. */
  readonly restoreWaitMs?: number | undefined;
  /** The latest position of the database that this instance has read; undefined where it does not poll. */
  readonly seen?: (() => Seen | undefined) | undefined;
  /**
   * The version below which everything that was applied in this timeline outlives the loss of the database (S13), as it
   * was last found out; undefined where nothing is known to. Called at each exchange, so it must not wait for anything.
   */
  readonly safe?: ((timeline: string) => string | undefined) | undefined;
}

/** The dependencies of a call that decides mutations between statements of its own. */
export interface SyncParts extends Omit<EngineParts, 'store'> {
  readonly database: Database;
  /** Undefined where storage cannot be asked: files are then checked by their path alone. */
  readonly findFiles?: FindFiles | undefined;
}
