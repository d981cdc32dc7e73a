/* `npm run migrate`: brings the configured database to this version. */
import { pendingMigrations } from '../sync-server/db/pending-migrations.ts';
import { readArguments } from './read-arguments.mjs';
import { withDatabase } from './run-command.ts';

readArguments('npm run migrate');
await withDatabase(async (database) => {
  const pending = await pendingMigrations(database);
  await database.migrate();
  console.log(pending.length === 0 ? 'Nothing to do.' : `Applied ${pending.join(', ')}.`);
});
