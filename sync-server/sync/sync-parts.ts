import type { Database } from '../db/database.ts';
import type { Log } from '../log.ts';

/** What the engine says to an operator. Never args, never a row. */
export type SyncLog = Pick<Log, 'info' | 'warn' | 'error'>;

/** What the server's half of sync is made of. */
export interface SyncParts {
  readonly database: Database;
  readonly clock: () => Date;
  /** What the public address of every job photo begins with. */
  readonly photoBase: string;
  readonly log: SyncLog;
}
