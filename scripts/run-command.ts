import { readConfig, type Config } from '../sync-server/lib/config.ts';
import type { Database } from '../sync-server/db/database.ts';
import { openDatabase } from '../sync-server/db/open-database.ts';
import { hideSecrets } from '../sync-server/lib/hide-secrets.ts';
import { createLog } from '../sync-server/lib/log.ts';
import { askOperation } from '../sync-server/ask-operation.ts';
import type { OperationName } from '../sync-server/ops/operate/operations.ts';

/** What a command does; where that does not work it says why in words without secrets, and ends the process with 1. */
export async function orSaid<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    console.error(hideSecrets(wordsOf(error)));
    process.exit(1);
  }
}

/** Runs an operation and returns its answer. The log goes to stderr. */
export function runCommand(name: OperationName, args: Record<string, unknown>): Promise<unknown> {
  return orSaid(() => {
    const config = readConfig(process.env);
    const log = createLog(config.logLevel, { write: (line) => void process.stderr.write(line) });
    const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
    return askOperation(config, log, name, given);
  });
}

/**
 * Does something with the configured database itself. `check` throws where the configuration does not allow it;
 * `mayBeSuperseded`: also where a later timeline of the database is known.
 */
export function withDatabase(
  act: (database: Database, config: Config) => Promise<void>,
  {
    check = () => undefined,
    mayBeSuperseded = false,
  }: { check?: (config: Config) => void; mayBeSuperseded?: boolean } = {},
): Promise<void> {
  return orSaid(async () => {
    const config = readConfig(process.env);
    check(config);
    const database = await openDatabase({ ...config, mayBeSuperseded });
    try {
      await act(database, config);
    } finally {
      await database.close();
    }
  });
}

/** An address that leads to several machines, none of which answers, is an error without a message of its own. */
function wordsOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(wordsOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
