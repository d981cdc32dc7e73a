import type { Database } from '../db/database.ts';
import type { Log } from '../lib/log.ts';
import type { FindFiles } from '../ports/known-files.ts';

/** The engine's log for operators. Never args, never a row. */
export type SyncLog = Pick<Log, 'info' | 'warn' | 'error'>;

/** The dependencies of the server's half of sync. */
export interface SyncParts {
  readonly database: Database;
  readonly clock: () => Date;
  /** Undefined where storage cannot be asked: files are then checked by their path alone. */
  readonly findFiles?: FindFiles | undefined;
  /** Jobs a person may post in 24 hours; undefined: any number. */
  readonly jobsPerDay?: number | undefined;
  readonly log: SyncLog;
}
