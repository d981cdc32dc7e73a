import { readConfig } from '../sync-server/config.ts';
import { hideSecrets } from '../sync-server/hide-secrets.ts';
import { openLog } from '../sync-server/log.ts';
import { askOperation } from '../sync-server/operate/ask-operation.ts';
import type { OperationName } from '../sync-server/operate/operations.ts';

/** Has an operation done and gives its answer; where that does not work it says why, and ends the process. The log goes to stderr. */
export async function runCommand(name: OperationName, args: Record<string, unknown>): Promise<unknown> {
  try {
    const config = readConfig(process.env);
    const log = openLog(config.logLevel, { write: (line) => void process.stderr.write(line) });
    const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
    return await askOperation(config, log, name, given);
  } catch (error) {
    console.error(hideSecrets(error instanceof Error ? error.message : String(error)));
    process.exit(1);
  }
}
