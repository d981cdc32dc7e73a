import { randomUUID } from 'node:crypto';
import type { Config } from './lib/config.ts';
import { DataDirInUse } from './db/claim-data-dir.ts';
import type { Database } from './db/database.ts';
import { openDatabase } from './db/open-database.ts';
import { pendingMigrations } from './db/pending-migrations.ts';
import type { Log } from './lib/log.ts';
import { createMaintenance } from './create-services.ts';
import { operate, operations, type OperationName } from './ops/operate/operations.ts';
import { findOperatorKey } from './ops/operate/operator-key.ts';

/** What the command has to say to its caller, without a stack. */
export class OperationFailed extends Error {
  override name = 'OperationFailed';
}

/**
 * Runs an operation for a command: on the database itself or, where a running server has the embedded one open, by that
 * server.
 *
 * @throws OperationFailed where the server rejects it; HttpProblem where this process does.
 */
export async function askOperation(
  config: Config,
  log: Log,
  name: OperationName,
  args: Record<string, unknown>,
): Promise<unknown> {
  let database: Database;
  try {
    database = await openDatabase(config);
  } catch (error) {
    if (error instanceof DataDirInUse) return askServer(config, name, args, error);
    throw error;
  }
  try {
    const pending = await pendingMigrations(database);
    if (pending.length > 0)
      throw new OperationFailed(
        `The database lacks ${pending.join(', ')}: run \`npm run migrate\`, or start the server, first.`,
      );
    const parts = {
      database,
      log,
      clock: () => new Date(),
      safeBy: config.safeBy,
      ...(await createMaintenance(config, database)),
    };
    return asText(await operate(parts, name, args, `command-${randomUUID()}`));
  } finally {
    await database.close();
  }
}

/** The answer as it comes over the wire. */
const asText = (answer: unknown): unknown => JSON.parse(JSON.stringify(answer));

async function askServer(
  { dataDir }: Config,
  name: OperationName,
  args: Record<string, unknown>,
  inUse: DataDirInUse,
): Promise<unknown> {
  const key = await findOperatorKey(dataDir);
  if (key === undefined) throw inUse;
  const authorization = `Bearer ${key.token}`;
  const path = `${key.url}/api/admin/${name}`;
  const given = Object.fromEntries(
    Object.entries(args)
      .filter(([, value]) => value !== undefined)
      .map(([arg, value]) => [arg, String(value)]),
  );
  const response = operations[name].writes
    ? await fetch(path, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(given),
      })
    : await fetch(`${path}?${new URLSearchParams(given).toString()}`, { headers: { authorization } });
  const answer = (await response.json()) as { error?: unknown };
  if (!response.ok) throw new OperationFailed(String(answer.error));
  return answer;
}
