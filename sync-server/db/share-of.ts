import pLimit from 'p-limit';
import type { Database } from './database.ts';

/**
 * The same database, of which at most so many queries and transactions are under way at once; the others wait here, and
 * hold no connection. For work that must never take the last connection from what a person waits for. The embedded
 * database has one connection, which single queries share by themselves.
 */
export function shareOf(database: Database, maxAtOnce: number): Database {
  if (database.share !== undefined) return { ...database, ...database.share(maxAtOnce) };
  const limit = pLimit(maxAtOnce);
  return { ...database, transaction: (work, options) => limit(() => database.transaction(work, options)) };
}
