import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { pendingMigrations } from '../db/pending-migrations.ts';
import { doubt, good, look, missing, type Finding } from './finding.ts';

const about = 'Database';

/** Does it answer, and is it of this version? `database` is left to its opener. */
export function checkDatabase({ databaseUrl }: Pick<Config, 'databaseUrl'>, database: Database | undefined): Promise<Finding[]> {
  if (databaseUrl === undefined || database === undefined) return Promise.resolve([doubt(about, 'DATABASE_URL is not set: everything is kept by the embedded database in DATA_DIR.')]);
  return look(about, 'The database', () => pendingMigrations(database), (pending) =>
    pending.length === 0
      ? [good(about, 'It answers, and has every migration.')]
      : [missing(about, `It lacks ${pending.join(', ')}: run \`npm run migrate\`, or start the server, which does it.`)]);
}
