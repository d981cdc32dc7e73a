import { join } from 'node:path';
import type { Database } from './database.ts';
import { openPglite } from './open-pglite.ts';
import { openPostgres } from './open-postgres.ts';

export interface DatabaseConfig {
  /** Native PostgreSQL where given, else PGlite under the data directory. */
  databaseUrl?: string | undefined;
  dataDir: string;
}

/** Opens the configured database; migrations are not applied yet. */
export function openDatabase(config: DatabaseConfig, onFault?: (error: Error) => void): Promise<Database> {
  if (config.databaseUrl === undefined) return openPglite({ dataDir: join(config.dataDir, 'database') });
  return openPostgres({ url: config.databaseUrl, ...(onFault ? { onFault } : {}) });
}
