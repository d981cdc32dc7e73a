import type { Database } from '../db/database.ts';
import { openPostgres } from '../db/open-postgres.ts';
import { acquirePglite } from './idle-pglite.ts';
import { freshPostgres } from './test-postgres.ts';

/** For `describe.each(databases)`: what holds on one must hold on the other. */
export const databases = ['pglite', 'postgres'] as const;

/**
 * For what does not differ by database: PostgreSQL, and in `npm run test:long` both. PGlite is below every test in a
 * browser; what the exchange asks of a database is held to one contract on both (`store/*.pg.test.ts`), as triggers,
 * pokes, restores and backups are.
 */
export const usualDatabase = process.env['TEST_LONG'] === '1' ? databases : (['postgres'] as const);

export interface TestDatabase extends Database {
  /** Reaches the same database again, e.g. for a second instance of the server; PGlite has none. */
  readonly url?: string;
}

/** A new, migrated, empty database of the test's own. `close` discards it. */
export async function openTestDb(kind: (typeof databases)[number]): Promise<TestDatabase> {
  if (kind === 'pglite') return acquirePglite();
  const { url, drop } = await freshPostgres();
  const database = await openPostgres({ url, poolSize: 20 });
  const close = async () => {
    await database.close();
    await drop();
  };
  return { ...database, url, close };
}
