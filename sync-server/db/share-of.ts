import type { Database } from './database.ts';

/**
 * The same database, of which at most so many transactions are under way at once; the others wait here, and hold no connection. For work
 * that must never take the last connection from what a person waits for.
 */
export function shareOf(database: Database, most: number): Database {
  let underWay = 0;
  const waiting: (() => void)[] = [];
  return {
    ...database,
    transaction: async (work, options) => {
      if (underWay < most) underWay += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await database.transaction(work, options);
      } finally {
        const next = waiting.shift();
        if (next === undefined) underWay -= 1;
        else next();
      }
    },
  };
}
