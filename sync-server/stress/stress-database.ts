import { openPostgres } from '../db/open-postgres.ts';
import type { Database } from '../db/database.ts';
import { cloneTemplate, startTestPostgres, TEST_POSTGRES } from '../testing/test-postgres.ts';

export interface StressDatabase {
  readonly url: string;
  /** Over connections named `stress`, which nobody cuts. */
  readonly database: Database;
  close(): Promise<void>;
}

/** A fresh, migrated database on the native PostgreSQL of the run, or on one of its own. */
export async function openStressDatabase(): Promise<StressDatabase> {
  const shared = process.env[TEST_POSTGRES];
  const own = shared === undefined ? await startTestPostgres() : undefined;
  const clone = await cloneTemplate(own?.url ?? shared ?? '');
  const database = await openPostgres({ url: `${clone.url}?application_name=stress` });
  return {
    url: clone.url,
    database,
    close: async () => {
      await database.close();
      await clone.drop();
      await own?.stop();
    },
  };
}
