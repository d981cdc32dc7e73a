import { openPostgres } from '../../sync-server/db/open-postgres.ts';
import type { Database } from '../../sync-server/db/database.ts';
import { freshPostgres } from '../../sync-server/testing/test-postgres.ts';

export interface StressDatabase {
  readonly url: string;
  /** Over connections named `stress`, which the test does not cut. */
  readonly database: Database;
  close(): Promise<void>;
}

/** A new, migrated database on the native PostgreSQL of the run, or on one of its own. */
export async function openStressDatabase(): Promise<StressDatabase> {
  const { url, drop } = await freshPostgres();
  const database = await openPostgres({ url: `${url}?application_name=stress` });
  return {
    url,
    database,
    close: async () => {
      await database.close();
      await drop();
    },
  };
}
