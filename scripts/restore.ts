/*
 * `npm run restore -- --from <folder>`: puts a backup in the place of the database and adds the files beside it. Servers must be stopped.
 * What was there is moved aside. `ADMIN_DATABASE_URL`: from which database of that PostgreSQL others are made; `postgres` unless it is given.
 */
import { parseArgs } from 'node:util';
import { restorePostgres } from '../sync-server/backup/postgres-backup.ts';
import { readConfig } from '../sync-server/config.ts';
import { restoreBackup } from '../sync-server/embedded/backup.ts';
import { objectsFolder } from '../sync-server/embedded/storage/file-store.ts';
import { hideSecrets } from '../sync-server/hide-secrets.ts';

const { values } = parseArgs({ options: { from: { type: 'string' } } });
if (values.from === undefined) {
  console.error('From where? --from with the folder of a backup.');
  process.exit(2);
}
try {
  const { manifest, aside } = await restore(values.from);
  console.log(`Restored what was there on ${manifest.madeAt}.${aside === undefined ? '' : ` What was there until now is in ${aside}.`}\nStart the server: every device will begin anew by itself, and send what it still holds.`);
} catch (error) {
  console.error(hideSecrets(error instanceof Error ? error.message : String(error)));
  process.exit(1);
}

function restore(folder: string) {
  const { databaseUrl: url, dataDir, supabase } = readConfig(process.env);
  if (url === undefined) return restoreBackup(dataDir, folder, new Date());
  const beside = new URL(url);
  beside.pathname = '/postgres';
  const adminUrl = process.env['ADMIN_DATABASE_URL'] ?? beside.href;
  return restorePostgres({ url, adminUrl, objects: supabase === undefined ? objectsFolder(dataDir) : undefined, folder, now: new Date() });
}
