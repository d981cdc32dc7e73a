/*
 * `npm run ops -- backup`: copies the database and the files beside it into DATA_DIR/backups, also while servers run. A
 * PostgreSQL by pg_dump.
 * `--copy-to <folder>`: and that into another folder, on another disk or machine.
 */
import { copyBackup, exists, type BackupManifest } from '../../sync-server/backup/backup-folder.ts';
import { readArguments } from '../read-arguments.mjs';
import { orSaid, runCommand } from '../run-command.ts';

export async function run(args: string[]): Promise<void> {
  const {
    values: { 'copy-to': elsewhere },
  } = readArguments('npm run ops -- backup [--copy-to <folder>]', { 'copy-to': { type: 'string' } }, { args });
  await orSaid(async () => {
    // A disk that is not mounted must not become a folder on this one.
    if (elsewhere !== undefined && !(await exists(elsewhere)))
      throw new Error(`There is no folder ${elsewhere}. Nothing was backed up.`);
  });
  const { folder, kind, databaseBytes, files, timeline, headVersion, madeAt } = (await runCommand(
    'backup.take',
    {},
  )) as {
    folder: string;
  } & BackupManifest;
  console.log(`${folder}: the database (${(databaseBytes / 1024 / 1024).toFixed(1)} MiB) and ${files} files.`);
  if (elsewhere === undefined) console.log('Copy it to another machine: a backup beside its original is lost with it.');
  else {
    console.log(`Copied to ${await orSaid(() => copyBackup(folder, kind, elsewhere))}, and read there.`);
    await runCommand('backup.copied', { timeline, version: headVersion, at: madeAt });
  }
}
