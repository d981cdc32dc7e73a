import { join } from 'node:path';
import { claimDataDir } from './claim-data-dir.ts';
import type { Database } from './database.ts';
import { finishRestore } from './finish-restore.ts';
import { openPglite } from './open-pglite.ts';
import { openPostgres } from './open-postgres.ts';

export interface DatabaseConfig {
  /** Native PostgreSQL where given, else PGlite under the data directory. */
  databaseUrl?: string | undefined;
  dataDir: string;
  /** For the command that takes it into use after all: it may be one that a later timeline is known of. */
  mayBeSuperseded?: boolean | undefined;
}

/**
 * Opens the configured database; migrations are not applied yet.
 *
 * @throws DataDirInUse where another process has the embedded database open.
 */
export async function openDatabase(config: DatabaseConfig, onError?: (error: Error) => void): Promise<Database> {
  if (config.databaseUrl !== undefined)
    return openPostgres({
      url: config.databaseUrl,
      mayBeSuperseded: config.mayBeSuperseded,
      ...(onError ? { onError } : {}),
    });
  const release = await claimDataDir(config.dataDir);
  try {
    await finishRestore(config.dataDir);
    const database = await openPglite({ dataDir: join(config.dataDir, 'database') });
    const close = async () => {
      await database.close();
      await release();
    };
    return { ...database, close };
  } catch (error) {
    await release();
    throw error;
  }
}
