import pLimit from 'p-limit';
import type { Database } from './database.ts';

/**
 * The same database, of which at most so many transactions are under way at once; the others wait here, and hold no
 * connection. For work that must never take the last connection from what a person waits for.
 */
export function shareOf(database: Database, most: number): Database {
  const limit = pLimit(most);
  return { ...database, transaction: (work, options) => limit(() => database.transaction(work, options)) };
}
