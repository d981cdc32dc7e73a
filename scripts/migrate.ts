/* `npm run migrate`: brings the configured database to this version. */
import { readConfig } from '../sync-server/config.ts';
import { openDatabase } from '../sync-server/db/open-database.ts';
import { pendingMigrations } from '../sync-server/db/pending-migrations.ts';

const database = await openDatabase(readConfig(process.env));
try {
  const pending = await pendingMigrations(database);
  await database.migrate();
  console.log(pending.length === 0 ? 'Nothing to do.' : `Applied ${pending.join(', ')}.`);
} finally {
  await database.close();
}
