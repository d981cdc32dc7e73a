/*
 * `npm run ops -- restore --from <folder>`: puts a backup in the place of the database and adds the files beside it.
 * Servers must be stopped. What was there is moved aside. A backup without what phones were told to be safe is refused,
 * unless `--lose-what-was-safe` is given.
 * `ADMIN_DATABASE_URL`: from which database of that PostgreSQL others are made; `postgres` unless it is given.
 */
import { restorePostgres } from '../../sync-server/backup/postgres-backup.ts';
import { mustBeNewest } from '../../sync-server/backup/must-hold-what-is-safe.ts';
import { readConfig } from '../../sync-server/lib/config.ts';
import { restoreBackup } from '../../sync-server/embedded/backup.ts';
import { objectsFolder } from '../../sync-server/embedded/storage/file-store.ts';
import { readArguments, refuse } from '../read-arguments.mjs';
import { sayTimeline } from '../say-timeline.ts';
import { orSaid } from '../run-command.ts';

const use = 'npm run ops -- restore --from <folder> [--lose-what-was-safe]';

export async function run(args: string[]): Promise<void> {
  const {
    values: { from, 'lose-what-was-safe': mayLose = false },
  } = readArguments(use, { from: { type: 'string' }, 'lose-what-was-safe': { type: 'boolean' } }, { args });
  if (from === undefined) refuse(use, 'From where? --from with the folder of a backup.');
  const { manifest, timeline, aside } = await orSaid(() => restore(from, mayLose));
  console.log(
    `Restored what was there on ${manifest.madeAt}.${aside === undefined ? '' : ` What was there until now is in ${aside}.`}\n${sayTimeline(timeline)}\nStart the server.`,
  );
}

async function restore(folder: string, mayLose: boolean) {
  const { databaseUrl: url, dataDir, supabase, safeBy } = readConfig(process.env);
  if (url === undefined && safeBy === 'backup' && !mayLose) await mustBeNewest(dataDir, folder);
  if (url === undefined) return restoreBackup(dataDir, folder, new Date());
  const beside = new URL(url);
  beside.pathname = '/postgres';
  const adminUrl = process.env['ADMIN_DATABASE_URL'] ?? beside.href;
  return restorePostgres({
    url,
    adminUrl,
    objects: supabase === undefined ? objectsFolder(dataDir) : undefined,
    folder,
    mayLose,
    now: new Date(),
  });
}
