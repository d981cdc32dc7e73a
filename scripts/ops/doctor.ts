/*
 * `npm run ops -- doctor`: looks at everything the environment configures, and says in plain words what is missing.
 * Ends with 1 where something is.
 */
import { createStripe } from '../../sync-server/billing/create-stripe.ts';
import { ConfigError, readConfig, type Config } from '../../sync-server/lib/config.ts';
import type { Database } from '../../sync-server/db/database.ts';
import { openPostgres } from '../../sync-server/db/open-postgres.ts';
import { examine } from '../../sync-server/ops/doctor/examine.ts';
import { missing, type Finding } from '../../sync-server/ops/doctor/finding.ts';
import { hideSecrets } from '../../sync-server/lib/hide-secrets.ts';
import { readArguments } from '../read-arguments.mjs';

const signs = { good: 'ok     ', warning: 'look   ', missing: 'MISSING' } as const;

async function findings(): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) return [missing('Configuration', error.message)];
    throw error;
  }
  let database: Database | undefined;
  try {
    database = config.databaseUrl === undefined ? undefined : await openPostgres({ url: config.databaseUrl });
    return await examine({ config, database, stripe: config.stripe && createStripe(config.stripe), ask: fetch });
  } finally {
    await database?.close();
  }
}

export async function run(args: string[]): Promise<void> {
  readArguments('npm run ops -- doctor', {}, { args });
  const found = await findings();
  for (const { about, level, says } of found)
    console.log(`${signs[level]}  ${`${about}:`.padEnd(15)} ${hideSecrets(says)}`);
  const lacking = found.filter(({ level }) => level === 'missing').length;
  console.log(
    lacking === 0 ? '\nNothing is missing.' : `\n${lacking} ${lacking === 1 ? 'thing is' : 'things are'} missing.`,
  );
  process.exitCode = lacking === 0 ? 0 : 1;
}
