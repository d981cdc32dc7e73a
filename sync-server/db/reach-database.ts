import type { Log } from '../lib/log.ts';
import type { Database } from './database.ts';
import { isTransient } from './is-transient.ts';
import { openDatabase, type DatabaseConfig } from './open-database.ts';

/** Milliseconds between attempts to reach a database that is away. */
const pauseMs = 1_000;

/** The configured database, open and migrated. One that is away is waited for; undefined when `closing` came first. */
export async function reachDatabase(
  config: DatabaseConfig,
  log: Log,
  closing: AbortSignal,
): Promise<Database | undefined> {
  while (!closing.aborted) {
    let database: Database | undefined;
    try {
      database = await openDatabase(config, (error) => log.warn({ err: error }, 'lost a database connection'));
      await database.migrate();
      if (!closing.aborted) return database;
      await database.close();
    } catch (error) {
      await database?.close();
      if (!isTransient(error)) throw error;
      log.warn({ err: error }, 'the database does not answer yet');
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  return undefined;
}
