import type { Database, Sql } from '../../db/database.ts';
import type { Log } from '../../lib/log.ts';

export interface PaymentParts {
  database: Database;
  clock: () => Date;
  log: Log;
}

/** What a call is answered from: one transaction, and one clock reading in seconds. */
export interface PaymentContext {
  sql: Sql;
  now: number;
}
